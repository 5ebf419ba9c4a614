"""What the check says, in other words: nothing may be decided from them."""

from alc_core.tables.checks import finding
from alc_core.tables.checks.finding import Sentence, facts_in


def reword_findings(monkeypatch):
    """Say all findings in other words, of the same facts and different ones for each."""
    others = {
        key: Sentence(_turned(each.message), _turned(each.action), "".join(_turned(each.together)))
        for key, each in finding.sentences().items()
    }
    monkeypatch.setattr(finding, "sentences", lambda: others)


def _turned(text):
    parts = (text,) if isinstance(text, str) else text
    turned = tuple(
        f"{hash(part)}" + "".join(f" {{{fact}}}" for fact in sorted(facts_in(part)))
        for part in parts
        if part
    )
    return turned or ""
