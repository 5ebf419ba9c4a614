"""What findings say, in words: the one place that turns their codes and facts into sentences.

A sentence stands under a code, or under a code and a case of it, as "too-few-rows/release". In
braces stand the facts of the finding, with how they are written. Of a text in several parts those
are left out whose facts the finding does not have. Nothing is decided by what stands here.
"""

from __future__ import annotations

import itertools
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from alc_core.phrasing import count, listed, numbered, percent, quoted
from alc_core.tables.formats.source import listed as names_of_columns
from alc_core.tables.table import some_names

Text = str | tuple[str, ...]

_SHOWN_VALUES = 3
_SHOWN_CHARACTERS = 40
_SHOWN_SHARES = 6


@dataclass(frozen=True, slots=True)
class Sentence:
    """What is said of one kind of finding."""

    message: Text  # What was found; no value of the original, unless many people share it
    action: Text  # What to do about it
    # Instead of the message, where several columns have it, with "{columns}", or several tables
    together: str = ""


def shown_labels(labels: Iterable[object]) -> tuple[str, ...]:
    """Return as many values of a release as a sentence shows, and one more if there are more."""
    return tuple(str(label) for label in itertools.islice(labels, _SHOWN_VALUES + 1))


def examples(labels: Sequence[str]) -> str:
    """Return up to three values of a release, shortened."""
    shown = []
    for label in labels[:_SHOWN_VALUES]:
        single_line = " ".join(label.split())
        short = single_line[: _SHOWN_CHARACTERS - 1] + "…"
        shown.append(f"'{single_line if len(single_line) <= _SHOWN_CHARACTERS else short}'")
    return ", ".join(shown) + (", ..." if len(labels) > _SHOWN_VALUES else "")


def _shares(columns: Sequence[tuple[str, float]]) -> str:
    shown = [
        f"'{column}' ({percent(share)} of the rows)" for column, share in columns[:_SHOWN_SHARES]
    ]
    more = [f"{len(columns) - _SHOWN_SHARES} more"] if len(columns) > _SHOWN_SHARES else []
    return listed([*shown, *more])


_FORMS: Mapping[str, Callable[[Any], str]] = {
    "percent": percent,
    "count": count,
    "names": quoted,
    "3 names": partial(quoted, most=3),
    "6 names": partial(quoted, most=6),
    "some names": some_names,
    "columns": lambda names: names_of_columns(list(names)),
    "examples": examples,
    "shares": _shares,
    "joined": ",".join,
    "sentences": " ".join,
    "if": lambda _: "",
}
"""How facts are written; "if" writes nothing, "number WORD" writes "1 WORD" or "2 WORDs"."""


class _Formatter(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if form := _FORMS.get(format_spec):
            return form(value)
        if format_spec.startswith("number "):
            return numbered(value, format_spec.removeprefix("number "))
        return str(super().format_field(value, format_spec))

    def facts_of(self, text: str) -> set[str]:
        return {name for _, name, _, _ in self.parse(text) if name}


_FORMATTER = _Formatter()


def written(text: Text, facts: Mapping[str, Any]) -> str:
    """Return a text with facts, without the parts whose facts are not there."""
    if isinstance(text, str):
        return _FORMATTER.vformat(text, (), facts)
    parts = (part for part in text if _FORMATTER.facts_of(part) <= facts.keys())
    return "".join(_FORMATTER.vformat(part, (), facts) for part in parts)


def facts_in(text: Text) -> frozenset[str]:
    """Return the names of the facts that a text has a place for."""
    return frozenset().union(*map(_FORMATTER.facts_of, (text,) if isinstance(text, str) else text))


def sentence(code: str, case: str = "") -> Sentence:
    """Return what is said of a code; of a plugged-in one what its finding brings along."""
    return SENTENCES.get(f"{code}/{case}" if case else code, _BROUGHT_ALONG)


_BROUGHT_ALONG = Sentence("{message}", "{action}")

_COUNTS_TYPE = (
    "ave it read as published counts, which attacks can use: choose that type of release on the"
    " Data page, or add --release-type counts on the command line."
)
_NOBODY = " A row is no person, so there is nobody to attack."
_RIGHT_FILE = "Check that this is the right file."
_MORE_ROWS = "Use a table with more rows, or look at the interval of the result."
_IDENTICAL = (
    "The release has exactly the same rows as the original in all {columns} shared columns: nothing"
    " was anonymized in them."
)
_COPIES = (
    ", with the same values in all {columns} shared columns.",
    ", with the same values in {kept} of {of} shared columns (all but {recoded:names}).",
    " Among people who are not in the original {expected:percent} would be.",
)
_MEANT = "Check that this much of the original is meant to be released."
_ALIGNED = (
    " in {columns:3 names}, ",
    "{several:if}up to ",
    "{share:percent} of the values are those of the ",
)
_UNDOES = ", which undoes all anonymization."
_OTHER_UNKNOWN = "Choose another unknown attribute."
_IN_PLACE = (
    " Their middle is where the original's is, so this may be poor utility of the release rather"
    " than another scale."
)
_SAME_UNITS = (
    "Nothing to do if the column has the original's units. Otherwise use the same units in both"
    " tables."
)
_STANDARDISED = " Was the column standardised, or is it in other units?"
_SAME_SCALE = "Use the same scale in both tables, or accept this if they already have it."
_SCALES = {
    "outside": "{outside:percent} of the values are outside the range of the original's values.",
    "wider": "The values are spread {times:,.0f} times as widely as in the original.",
    "narrower": "The values are spread {times:,.0f} times less widely than in the original.",
    "stretched": "The values look like the original's after a multiplication or a shift.",
}
_NO_NUMBERS = (
    "{share:percent} of the values are neither numbers nor in the original (such as"
    " {labels:examples})."
)
_SUPPRESSED = "Where a value was suppressed, leave the cell empty or write '*'."
_NEW_VALUES = "{share:percent} of the rows have values that the original does not have ("
_AS_NUMBERS = (
    "If they are amounts, take the column as numbers: --continuous {column}, or the kind continuous"
    " on the Data page."
)
_SPELLING = " Or did you mean '{meant}' by {spelled:examples}? Then correct the spelling."
_UNREAD = (
    "{share:percent} of the values look as if they stood for several values (such as"
    " {labels:examples}), but for none that the original has."
)
_GIVE_SETS = "Say what they cover, by a hierarchy file or a table of labels"
_GROUP_SIZES = "Correct the tables: each group has as many values as it has rows."

SENTENCES: Mapping[str, Sentence] = {
    # Tables and their rows
    "no-release": Sentence(
        "There is no release to compare the original with.", "Pass at least one release."
    ),
    "too-few-rows/release": Sentence("The release has no rows.", "Use a release with rows."),
    "too-few-rows/part": Sentence("The table has no rows.", "Add its rows."),
    "too-few-rows/any": Sentence(
        "The table has {rows:,} rows: with fewer than {fewest} no precision can be measured within"
        " 0.1, even if every prediction is right.",
        "Use a table with more rows.",
    ),
    "too-few-rows/precision": Sentence(
        "The table has {rows:,} rows: with fewer than {fewest} only very high or very low"
        " precisions can be measured within 0.1.",
        _MORE_ROWS,
    ),
    "too-few-rows/recall": Sentence(
        "The table has {rows:,} rows: with fewer than {fewest:,} an attack that predicts for only a"
        " few people may be missed.",
        _MORE_ROWS,
    ),
    "sorted-rows": Sentence(
        "The rows are sorted by this column.", "Nothing to do: targets are always shuffled."
    ),
    "more-rows": Sentence(
        "The release has {rows:,} rows, the original {original:,}.",
        "A synthetic table may be larger. Otherwise check that this is the right file.",
    ),
    "duplicate-people": Sentence(
        "{share:percent} of the rows have the same values as another row in all {columns} columns"
        " that are used.",
        "If a person can have several rows, name the column that identifies the person. All rows of"
        " a person are then left out together.",
    ),
    "maybe-person": Sentence(
        "The column looks like the number of a person, with several rows per person"
        " ({values:count} values in {rows:count} rows).",
        "If so, name it as the person column (--id). Otherwise a person's other rows make the"
        " baseline too good, and the loss looks too small.",
    ),
    "maybe-household": Sentence(
        (
            "{rows:count} of {of:count} ",
            "{people:if}people",
            "{records:if}rows",
            " share their values in {columns:names} with 1 to {others} others, far more than by"
            " chance: they look like households.",
        ),
        "If so, name these columns as the household (--household '{columns:joined}'). Otherwise a"
        " guess learns from people who live with the target: it may be too good, and the loss look"
        " too small.",
    ),
    "identical-release": Sentence(
        _IDENTICAL, (_RIGHT_FILE, "{whole:if} A run will measure the full loss.")
    ),
    "copied-rows": Sentence(
        ("{rows:count} rows ({share:percent}) are rows of the original as they are", *_COPIES),
        _MEANT,
    ),
    "copied-rows/most": Sentence(
        ("{share:percent} of the rows are also in the original", *_COPIES), _MEANT
    ),
    "row-number": Sentence(
        (
            "The column holds the numbers of the original's rows:",
            *_ALIGNED,
            "row that it names. Whoever sees the original's order finds every person by it",
            _UNDOES,
        ),
        "Delete the column, and shuffle the rows before you publish them. The attacks do not use"
        " it: a result without a loss does not hold for the release with it.",
    ),
    "row-order": Sentence(
        (
            "The rows are in the order of the original:",
            *_ALIGNED,
            "original's row at the same place. Whoever sees the original's order, or has another"
            " release of it, finds every person by it",
            _UNDOES,
        ),
        "Shuffle the rows before you publish them. The attacks do not use their order: a result"
        " without a loss does not hold for the release as it is ordered now.",
        "The rows are in the order of the original: many values are those of the original's row at"
        " the same place. Whoever sees the original's order, or has another of these releases,"
        f" finds every person by it{_UNDOES}",
    ),
    # Rows that are no people
    "anatomy-pair": Sentence(
        "This table and '{other}' are two parts of one release, as the method Anatomy makes it: the"
        " one has {has:6 names}, the other has {other_has:6 names}, and only '{group}' joins them"
        " ({groups:count} groups, several rows in each). Neither part alone tells of a person what"
        " the release tells.",
        "Have both read as groups of people, which attacks can use: choose that type of release on"
        " the Data page, or add --release-type groups on the command line.",
    ),
    "cross-table": Sentence(
        f"This is a cross table: its columns {{cells:6 names}} hold numbers of people.{_NOBODY}",
        f"H{_COUNTS_TYPE}",
    ),
    "table-of-counts": Sentence(
        "This is a table of counts: each of its {rows:count} rows is a combination of"
        " {key:6 names}, and '{counts}' says how many people have it ({people:count} together)."
        + _NOBODY,
        f"H{_COUNTS_TYPE}",
    ),
    "maybe-counts": Sentence(
        "No two rows are alike, and the column '{counts}', which the original does not have, looks"
        " like a number of people. Does each row stand for one person?",
        "Accept this only if it does: taking combinations for people can show no loss where there"
        f" is one. If it does not: h{_COUNTS_TYPE}",
    ),
    # Columns of both tables
    "no-common-columns": Sentence(
        "No column of the release has the same name as a column of the original.",
        "Say which of its columns are which of the original's, or check that this is the right"
        " file.",
    ),
    "no-common-columns/known": Sentence(
        "No release with '{unknown}' has any of the known attributes.",
        "Choose known attributes that the release has, or say which of its columns they are.",
    ),
    "missing-column": Sentence(
        "The column '{column}' is missing in the release.",
        "Nothing to do if this is on purpose.",
        "{n} columns of the original are missing in the release: {columns}.",
    ),
    "missing-column/known": Sentence(
        "The column '{column}' is missing in the release.",
        "Nothing to do if this is on purpose: nobody can be found by it, and no attack uses it.",
        "{n} columns of the original are missing in the release: {columns}.",
    ),
    "missing-column/likely": Sentence(
        "The column '{column}' is missing in the release.",
        (
            "The release has a column '{likely}'",
            " {why}",
            ". If it is the same, say so: until then no attack uses it, and nothing is said of what"
            " it gives away.",
        ),
    ),
    "missing-column/original": Sentence(
        (
            "Column '{column}' is not in '{table}', which has {has:some names}.",
            " Did you mean '{close}'?",
        ),
        "Choose a column that the original has.",
    ),
    "missing-column/in-no-release": Sentence(
        "The unknown attribute '{column}' is in no release, so no attack can learn it.",
        "Choose an unknown attribute that a release has, or say which of its columns it is.",
    ),
    "extra-column": Sentence(
        "The release has {extra:number column} that the original does not have: {names:columns}.",
        "No attack uses what only the release has.",
    ),
    "same-content": Sentence(
        "Each value goes with one value of '{other}', and the other way round: who knows one column"
        " knows the other, whatever is released.",
        "Give one of them the role 'left out': attacks on one that know the other have nothing left"
        " to learn.",
    ),
    "known-weight": Sentence(
        "The known attribute looks like a survey weight. Nobody knows the weight of somebody else,"
        " and it often singles people out: the loss may look larger than it is.",
        "Take it out of the known attributes, unless it is something else.",
    ),
    # One column
    "all-missing": Sentence(
        "All values are missing.", "Check whether it was exported. Nobody can be told apart by it."
    ),
    "constant-column": Sentence(
        "All rows have the same value.",
        "Nothing to do if that is right: the column does not tell people apart.",
    ),
    "constant-column/or-missing": Sentence(
        "All rows with a value have the same one.",
        "Nothing to do if that is right: the column does not tell people apart.",
    ),
    "infinite-values": Sentence(
        "{values:,} of the values are infinite or beyond 1e38.",
        "They are treated as missing. Replace them if they mean a number.",
    ),
    "identifier-like": Sentence(
        "The column looks like an identifier of people or records ({why}).",
        "It is left out. Choose another kind if it is an attribute.",
    ),
    "identifier-like/known": Sentence(
        "The column looks like an identifier of people or records ({why}).",
        "Do not use it as a known attribute. If it identifies the person, name it as the person"
        " column.",
    ),
    "identifier-released": Sentence(
        "{share:percent} of the rows have an identifier that is also in the original: people could"
        " be looked up by it.",
        "Remove the column from the release, or put new random numbers in it.",
    ),
    # Values of a released column against the original's
    **{
        f"scale-changed/{what}": Sentence(words + _STANDARDISED, _SAME_SCALE)
        for what, words in _SCALES.items()
    },
    **{
        f"scale-changed/{what}-in-place": Sentence(words + _IN_PLACE, _SAME_UNITS)
        for what, words in _SCALES.items()
    },
    "text-numbers/stored": Sentence(
        "The numbers are stored as text here, and as numbers in the other table.",
        "Nothing to do if they mean the same: they are matched as numbers.",
    ),
    "text-numbers/few": Sentence(
        f"{_NO_NUMBERS} Do they mean that there is no value?",
        f"{_SUPPRESSED} Accept this if there was none before: a text is then a value of its own, as"
        " far from every number as can be.",
    ),
    "text-numbers/many": Sentence(
        _NO_NUMBERS,
        f"Store numbers. {_SUPPRESSED} If the column holds no amounts, choose the kind categorical"
        " for the column of the original.",
    ),
    "unreadable-dates": Sentence(
        "{share:percent} of the values cannot be read as dates, but the original's are dates.",
        "Write all dates in one format, such as 2020-01-31, or choose the kind categorical for the"
        " column of the original.",
    ),
    "unknown-labels/renamed": Sentence(
        _NEW_VALUES + "such as {labels:examples}). Were the values renamed or recoded?",
        (
            "Undo the recoding so that both tables use the same labels, or say what each new one"
            " covers, by a hierarchy file or a table of labels. Accept this only if the values are"
            " really new: no attack can match them, so where the column is attacked or known, its"
            " result is no all-clear.",
            _SPELLING,
        ),
    ),
    "unknown-labels/amounts": Sentence(
        _NEW_VALUES
        + "such as {labels:examples}). Both tables have numbers here. Are they amounts?",
        _AS_NUMBERS,
    ),
    "unknown-labels": Sentence(
        _NEW_VALUES + "{distinct:,} distinct, such as {labels:examples}).",
        ("They are treated as separate values.", _SPELLING),
    ),
    "unknown-labels/few-amounts": Sentence(
        _NEW_VALUES + "{distinct:,} distinct, such as {labels:examples}).",
        ("They are treated as separate values.", _SPELLING, f" {_AS_NUMBERS}"),
    ),
    "recoded-integers/shifted": Sentence(
        "The codes look like those of the original {sign} 1, as when one table counts from 0 and"
        " the other from 1. Was the column recoded?",
        "Undo the recoding so that both tables use the same codes, or accept this if the codes have"
        " the same meaning in both.",
    ),
    "recoded-integers/exchanged": Sentence(
        "Both tables have the same frequencies, but at different values: the values look exchanged"
        " for one another. Was the column recoded?",
        "Undo the recoding so that a value means the same in both tables, or accept this if it"
        " already does.",
    ),
    # Labels that stand for several values
    "generalized-values": Sentence(
        "Values stand for several values of the original, or are suppressed, in {shares:shares}.",
        "They are matched with every value that they cover. Check the list of what they cover: it"
        " is on the Data page, and 'alc check' prints it.",
    ),
    "suppressed-column": Sentence(
        "All values are suppressed: what is known of people here cannot be used.",
        "Nothing to do if that is right; a result that knows the column says so.",
    ),
    "unread-labels/numeric": Sentence(_UNREAD, f"{_GIVE_SETS}, or leave the column out."),
    "unread-labels": Sentence(
        _UNREAD, f"{_GIVE_SETS}, or accept that they count as values of their own."
    ),
    # What is attacked
    "ignored-column": Sentence(
        "The column '{column}' is to be ignored, but is also {part}.",
        "Take it out of the {part} columns, or do not ignore it.",
    ),
    "unknown-is-known": Sentence(
        "The unknown attribute is among the known attributes: there is nothing to predict.",
        "Take it out of the known attributes, or choose another unknown attribute.",
    ),
    "no-known-columns": Sentence(
        "There is no known attribute.", "Choose at least one column that an attacker may know."
    ),
    "all-missing/unknown": Sentence(
        "All values of the unknown attribute are missing.", _OTHER_UNKNOWN
    ),
    "all-missing/unknown-here": Sentence(
        "All values of the unknown attribute are missing in this release.",
        "Leave the release out, or use one that has values.",
    ),
    "constant-unknown": Sentence(
        "The unknown attribute has the same value in all rows: everybody knows it.", _OTHER_UNKNOWN
    ),
    "constant-unknown/or-missing": Sentence(
        "The unknown attribute is either missing or has always the same value.",
        "Choose another one. An attack can only find out whether there is a value, and people"
        " without one are not attacked unless you ask for it.",
    ),
    "constant-unknown/here": Sentence(
        "The unknown attribute has a single value in this release.",
        f"An attack can predict nothing else. {_RIGHT_FILE}",
    ),
    "all-distinct-unknown": Sentence(
        "The unknown attribute has {values:,} distinct values in {rows:,} rows: it identifies"
        " records instead of describing them.",
        "Choose another unknown attribute, or choose the kind continuous if it is a quantity.",
    ),
    "high-cardinality-unknown": Sentence(
        "The unknown attribute has {values:,} distinct values.",
        "Group them into fewer values, or choose the kind continuous if it is a quantity.",
    ),
    "rare-values": Sentence(
        "{rare:,} of {values:,} values of the unknown attribute occur in fewer than {fewest} rows.",
        "People with rare values may be at higher risk than the result for everyone shows.",
    ),
    "dominating-value": Sentence(
        (
            "{ranges:if}One range of the unknown attribute (of the {ranges} equal ranges that its"
            " values are cut into)",
            "{value:if}One value of the unknown attribute",
            " makes up {share:percent} of the rows.",
        ),
        "Nothing to do: its rows are down-sampled to half of the attempts (to two thirds at most"
        " where the others are few), unless you switch that off. Shares in the result then refer to"
        " the down-sampled people.",
    ),
    **{
        f"{what}-column{case}": each
        for what in ("person", "household")
        for case, each in {
            "": Sentence(
                (
                    "Column '{column}' is not in '{table}', which has {has:some names}.",
                    " Did you mean '{close}'?",
                ),
                f"Choose the {what} column, or none.",
            ),
            "/single": Sentence(
                f"The {what} column has a single value: all rows would belong together.",
                f"Choose a column that tells one {what} from another, or none.",
            ),
            "/gaps": Sentence(
                f"The {what} column is missing in {{share:percent}} of the rows.",
                f"Each of these rows counts as a separate {what}.",
            ),
        }.items()
    },
    # Published counts
    "counts-read": Sentence(
        "{notes:sentences}",
        "Nothing to do if this is right. Otherwise rename the file's columns.",
    ),
    "count-is-no-number": Sentence(
        (
            "{labels:3 names} ",
            "{one:if}is no number",
            "{several:if}are no numbers",
            " of people.",
        ),
        "Correct the counts, or leave the cells without a count empty.",
    ),
    "noisy-counts": Sentence(
        (
            "Noise was added: ",
            "{negative:count} of {counts:count} counts are below 0",
            "{negative:if}{fractions:if} and ",
            "{fractions:if}some counts are fractions",
            ".",
        ),
        "Nothing to do: the attacks take counts below 0 as 0.",
    ),
    "other-number-of-people": Sentence(
        "{columns:6 names}: the counts add up to {counted:count} people, but the original has"
        " {people:count}.",
        "Check that the counts are of these people and that no totals are among them.",
    ),
    # Groups of people
    "groups-without-unknown": Sentence(
        "The groups are there, but no table has their values of '{column}'.",
        "Add the table with the number of the group and its values of '{column}', or choose another"
        " unknown column.",
    ),
    "row-without-group": Sentence(
        "{missing:count} of {rows:count} rows have no group.",
        "Give each row the number of its group, or leave these rows out of all tables.",
    ),
    "count-is-no-number/group": Sentence(
        "'{shown}' is not a whole number of people (row {row} of {rows:count};"
        " {wrong:number such row}).",
        "Correct the counts. Groups with noisy counts cannot be attacked as groups.",
    ),
    "group-in-one-part": Sentence(
        "Missing here: {missing:number group} of '{other}', such as {labels:names}.",
        f"{_GROUP_SIZES} If these are files of two releases, upload those of one only.",
    ),
    "group-sizes": Sentence(
        "Group '{group}' has {rows:g} rows in '{other}', but {values:g} values here"
        " ({wrong:number such group}).",
        _GROUP_SIZES,
    ),
    "single-person-group": Sentence(
        "With one person: {single:count} of {groups:number group}. Their sensitive values are"
        " published as they are.",
        "Merge them with other groups before you publish.",
    ),
}
