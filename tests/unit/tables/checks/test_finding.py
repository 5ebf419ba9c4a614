from alc_core.tables.checks.finding import Finding, Severity, grouped


def finding(column, *, code="unknown-labels", table="release", together="", message="Some."):
    return Finding(
        severity=Severity.QUESTION, code=code, table=table, column=column,
        message=message, action="Fix it.", together=together,
    )  # fmt: skip


def test_one_finding_per_kind_and_table():
    found = [finding(column) for column in ("a", "b", "c")]
    whole = finding(None, code="copied-rows")
    first, second, last = grouped([*found, finding("a", table="other"), whole])
    assert first.message == "In 'a': Some. Likewise in 'b' and 'c'."
    assert (first.column, first.columns, first.parts) == (None, ("a", "b", "c"), tuple(found))
    assert (second.table, second.columns, second.parts) == ("other", ("a",), ())
    assert last is whole


def test_many_columns_in_the_words_of_the_kind():
    words = "{n} columns are missing: {columns}."
    (told,) = grouped([finding(f"c{n}", together=words) for n in range(14)])
    assert told.message.startswith("14 columns are missing: 'c0', 'c1'")
    assert told.message.endswith("'c11' and 2 more.")
    (alone,) = grouped([finding("a", together=words)])
    assert alone.message == "Some."


def test_answers_name_the_column():
    assert finding("a").answers == ("unknown-labels:a", "unknown-labels:release:a")
    assert finding(None).answers == ("unknown-labels", "unknown-labels:release")
