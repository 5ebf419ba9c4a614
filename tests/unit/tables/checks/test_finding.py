from alc_core.tables.checks.finding import Finding, Severity, grouped, patterns


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


def test_what_several_tables_have_is_one_question_with_all_its_cases():
    def found(table, column, code="masked"):
        return Finding(
            severity=Severity.QUESTION, code=code, table=table, column=column,
            message="Values are masked.", action=f"Look at '{table}'.",
        )  # fmt: skip

    cases = [found(table, column) for table in ("a", "b", "c") for column in ("x", "y")]
    other = found("a", None, code="other")
    told = patterns([*cases, other])
    assert len(told) == 2
    assert told[0].table == "a, b and c"
    assert set(told[0].parts) == set(cases)
    assert told[0].message == "In 'x': Values are masked. Likewise in 'y'. Alike in 'b' and 'c'."
    assert told[1] is other


def test_no_word_about_a_whole_table_is_lost():
    def found(table, message):
        return Finding(
            severity=Severity.WARNING, code="copied-rows", table=table, message=message,
            action="Look.",
        )  # fmt: skip

    different = [found("a", "76 % are copied."), found("b", "3 % are copied.")]
    assert patterns(different) == tuple(different)
    (told,) = patterns([found("a", "All of 'a' is missing."), found("b", "All of 'b' is missing.")])
    assert told.message == "All of 'a' is missing. Alike in 'b'."
