from alc_core.tables.checks.finding import Finding, Severity, grouped, once, patterns


def finding(column, *, code="masked", table="release", message="Some.", action="Fix it."):
    """Return a finding of a code that is in no list, which brings its words along."""
    return Finding.of(Severity.QUESTION, code, table, column, message=message, action=action)


def missing(column):
    return Finding.of(Severity.INFO, "missing-column", "release", column)


def test_one_finding_per_kind_and_table():
    found = [finding(column) for column in ("a", "b", "c")]
    whole = finding(None, code="copied-rows")
    first, second, last = grouped([*found, finding("a", table="other"), whole])
    assert first.message == "In 'a': Some. Likewise in 'b' and 'c'."
    assert (first.column, first.columns, first.parts) == (None, ("a", "b", "c"), tuple(found))
    assert (second.table, second.columns, second.parts) == ("other", ("a",), ())
    assert last is whole


def test_many_columns_in_the_words_of_the_kind():
    (told,) = grouped([missing(f"c{n}") for n in range(14)])
    assert told.message.startswith("14 columns of the original are missing in the release: 'c0', ")
    assert told.message.endswith("'c11' and 2 more.")
    (alone,) = grouped([missing("a")])
    assert alone.message == "The column 'a' is missing in the release."


def test_what_is_advised_of_one_column_alone_stays_apart():
    likely = [
        Finding.of(Severity.WARNING, "missing-column", "r", of, case="likely", likely=f"its {of}")
        for of in ("a", "b")
    ]
    assert grouped(likely) == tuple(likely)


def test_answers_name_the_column():
    assert finding("a").answers == ("masked:a", "masked:release:a")
    assert finding(None).answers == ("masked", "masked:release")


def test_what_several_tables_have_is_one_question_with_all_its_cases():
    def found(table, column, code="masked"):
        return finding(column, code=code, table=table, action="Look at it.")

    cases = [found(table, column) for table in ("a", "b", "c") for column in ("x", "y")]
    other = found("a", None, code="other")
    told = patterns([*cases, other])
    assert len(told) == 2
    assert told[0].table == "a, b and c"
    assert set(told[0].parts) == set(cases)
    assert told[0].message == "In 'x': Some. Likewise in 'y'. Similar in 'b' and 'c'."
    assert told[1] is other


def test_tables_with_fewer_columns_of_the_kind_are_told_with_their_own():
    def found(table, *columns):
        return [finding(c, table=table, action="Look at it.") for c in columns]

    tables = found("a", "x", "y"), found("b", "x", "y"), found("c", "y"), found("d", "y")
    (told,) = patterns([each for table in tables for each in table])
    assert told.message == (
        "In 'x': Some. Likewise in 'y'. This is so in 'a' and 'b'. In 'c' and 'd': 'y'."
    )


def test_columns_are_counted_only_of_tables_that_all_lack_them():
    def lacks(table, *columns):
        return [Finding.of(Severity.INFO, "missing-column", table, each) for each in columns]

    tables = lacks("a", "x", "y"), lacks("b", "y"), lacks("c", "y"), lacks("d", "y", "x")
    told = patterns([each for table in tables for each in table])
    assert [(each.table, each.message) for each in told] == [
        (
            "a and d",
            "2 columns of the original are missing in the release: 'x' and 'y'. Similar in 'd'.",
        ),
        ("b and c", "In 'y': The column 'y' is missing in the release. Similar in 'c'."),
    ]


def test_no_word_about_a_whole_table_is_lost():
    def copied(table, share):
        return Finding.of(
            Severity.WARNING, "copied-rows", table, case="most", share=share, columns=5, expected=0
        )

    different = [copied("a", 0.76), copied("b", 0.53)]
    assert patterns(different) == tuple(different)
    (told,) = patterns([copied("a", 0.76), copied("b", 0.76)])
    assert told.message.startswith("76% of the rows")
    assert told.message.endswith(" Similar in 'b'.")
    in_order = [
        Finding.of(Severity.WARNING, "row-order", table, columns=("x",), share=share)
        for table, share in (("a", 0.5), ("b", 0.75))
    ]
    (told,) = patterns(in_order)
    assert "which identifies everyone" in told.message
    assert "%" not in told.message


def test_a_message_says_whether_it_names_its_table():
    lacking = Finding.of(
        Severity.ERROR, "missing-column", "t", "x", case="original", has=("a", "b")
    )
    assert lacking.names_its_table
    assert "'t', which has 'a', 'b'." in lacking.message
    assert not missing("a").names_its_table


def covers(*columns, table="release", severity=Severity.INFO, code="generalized-values"):
    shares = tuple(
        (column, 0.1 * place) for place, column in enumerate("abcd") if column in columns
    )
    return Finding.of(severity, code, table, shares=shares)


def test_what_attacks_say_of_their_columns_is_said_once():
    several = [covers("a"), covers("a", "c"), covers("b"), covers("b", table="other")]
    whole, other = once(several)
    assert set(whole.facts["shares"]) == set(covers("a", "b", "c").facts["shares"])
    assert other == several[-1]
    assert once(several, told=[covers("a", "b", "c", "d")]) == (other,)
    assert once([covers("a", "b")], told=[covers("a")]) == (covers("a", "b"),)


def test_tables_of_one_name_are_not_taken_for_one():
    one, two = (
        covers("a"),
        Finding.of(Severity.INFO, "generalized-values", "release", shares=(("a", 0.9),)),
    )
    assert set(once([one, two])) == {one, two}


def test_the_worst_of_what_is_said_of_a_column_is_said_once():
    def said(severity):
        return Finding.of(severity, "identifier-like", "release", "a")

    mild, bad = said(Severity.INFO), said(Severity.WARNING)
    assert once([mild, bad, mild]) == (bad,)
    assert once([mild, bad], told=[mild]) == (bad,), "worse than what was said"
    assert once([mild], told=[bad]) == ()


def test_what_must_be_answered_or_differs_is_not_left_out():
    asked, wrong = (
        finding("a"),
        Finding.of(Severity.ERROR, "masked", "release", "a", **finding("a").facts),
    )
    same = [Finding.of(Severity.WARNING, "same-content", "o", "a", other=each) for each in "bc"]
    sets = [
        Finding.of(Severity.WARNING, "own-together", "o", columns=each) for each in ("ab", "bc")
    ]
    all_of_them = {asked, wrong, *same, *sets}
    assert set(once([asked, wrong, *same, *sets])) == all_of_them
