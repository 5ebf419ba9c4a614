from alc_core.cli.parts.printing import finding_line
from alc_core.dashboard.parts.panels import finding_text
from alc_core.tables.checks.finding import Finding, Severity


def test_no_option_of_the_command_is_named_on_a_page():
    found = Finding.of(Severity.QUESTION, "duplicate-people", "people", share=0.2, columns=2)
    assert finding_text(found).endswith("If people have several rows, set the person\\.")
    assert finding_line(found).endswith(" Use: --person COLUMN")
