import pytest

from alc_core.dashboard.markdown import literal


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("age", "age"),
        ("**bold**", r"\*\*bold\*\*"),
        ("<b>x</b>", r"\<b\>x\</b\>"),
        ("_a_", r"\_a\_"),
        ("a_b-c.d", "a_b-c.d"),
        ("of 5 (1 to 5), 50% 'x'/y?", "of 5 (1 to 5), 50% 'x'/y?"),
        ("1) a", r"1\) a"),
        ("$x$", r"\$x\$"),
        ("`code`", r"\`code\`"),
        (":red[x]", r"\:red\[x\]"),
        ("two\nlines", "two lines"),
        (31, "31"),
    ],
)
def test_punctuation_is_escaped(text, shown):
    assert literal(text) == shown


@pytest.mark.parametrize(
    "text",
    [":smile:", ":material/home:", "a -> b", "a <= b", "see http://x.example", "HTTPS://x.org/a",
     "www.x.example", "me@x.example"],
)  # fmt: skip
def test_what_is_replaced_after_unescaping_is_broken_up(text):
    plain = literal(text).replace("\\", "")
    assert text not in plain
    assert plain.replace("\u2060", "") == text


def test_a_colon_alone_is_only_escaped():
    assert literal("note: yes") == r"note\: yes"
