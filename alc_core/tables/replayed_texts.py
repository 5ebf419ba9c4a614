"""Pieces of people's texts, or of their cells, that return in a release's texts, and by chance.

A piece is own if nobody else has it, and replayed if released. Chance is the share between halves
of the original's people. More than chance returns by either of two exact tests:

- For other people's texts of the same population, pieces of just two texts are shared within the
  original and with the release by numbers of texts (binomial).
- For independent texts of any population, mixed pairs are at most twice the geometric mean of pairs
  within each (exact test of Hardy-Weinberg proportions).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from alc_core.arrays import RowArray
from alc_core.tables.table import ColumnKind, Table, once_of_both
from alc_core.tables.text_pieces import Codes, Piece, Pieces, find_pieces, spell_pieces

# Limits; see tests/unit/tables/test_replayed_texts.py
_SIGNIFICANT = 1e-4  # Of either test, for one kind of piece
_TIMES_CHANCE = 2.0  # Times chance, for other populations
_SEED = 20
_DISTINCT = 0.1  # Distinct cells, as a share of rows, of a column with people's own


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """People's own pieces of one kind that return."""

    kind: Piece
    people: int
    rows: int  # Released rows that have them
    of_people: int  # Who have a text
    of_rows: int  # Released rows with a text
    expected: float  # Share of people between halves of the original
    own_pairs: int  # Two people with a piece nobody else has
    released_pairs: int  # Of two released rows; nobody has the piece
    texts: int  # Of the original

    @property
    def share(self) -> float:
        """Share of the people."""
        return self.people / max(self.of_people, 1)

    @property
    def is_clear(self) -> bool:
        """Whether clearly more return than by chance."""
        from scipy.special import bdtrc

        # As if the release were no shorter: frequent pieces return early
        times = 2.0 * max(self.of_rows / max(self.texts, 1), 1.0)
        both, part = self.people + self.own_pairs, times / (1.0 + times)
        if (
            self.people > _TIMES_CHANCE * times * self.own_pairs
            and bdtrc(self.people - 1, both, part) < _SIGNIFICANT
        ):
            return True
        most = 2.0 * float(np.sqrt(self.own_pairs * self.released_pairs))
        tail = mixed_pairs_tail(self.own_pairs, self.people, self.released_pairs)
        return self.people > _TIMES_CHANCE * most and tail < _SIGNIFICANT


def mixed_pairs_tail(first: int, mixed: int, second: int) -> float:
    """Return the probability of this many mixed pairs, or more.

    The exact test of Hardy-Weinberg proportions for an excess of heterozygotes.

    Examples
    --------
    >>> round(mixed_pairs_tail(0, 10, 0), 4), mixed_pairs_tail(20, 0, 30)
    (0.0055, 1.0)
    """
    from scipy.special import gammaln, logsumexp

    both = 2 * first + mixed, 2 * second + mixed
    counts = np.arange(mixed % 2, min(both) + 1, 2)
    logs = counts * np.log(2.0) - gammaln(counts + 1)
    for each in both:
        logs -= gammaln((each - counts) // 2 + 1)
    return float(min(np.exp(logsumexp(logs[counts >= mixed]) - logsumexp(logs)), 1.0))


def text_columns(original: Table, table: Table) -> tuple[str, ...]:
    """Return columns of texts, by their or the original's kind."""
    return tuple(
        column
        for column in table.columns
        if table.kind(column) is ColumnKind.TEXT
        or (column in original.columns and original.kind(column) is ColumnKind.TEXT)
    )


def _sources(original: Table, release: Table) -> tuple[str, ...]:
    """Return the original's columns whose pieces may return.

    If the release has texts that the original lacks, also others: they may tell all cells of a row.
    """
    theirs, own = text_columns(original, release), text_columns(original, original)
    if {*theirs} <= {*original.columns}:
        return own if theirs else ()
    frame, least = original.frame, _DISTINCT * len(original)
    return tuple(c for c in original.columns if c in own or frame[c].nunique() > least)


def find_replays(
    original: Table, release: Table, *, person: str | None = None
) -> tuple[Replay, ...]:
    """Count people whose own pieces return, by kind of piece.

    Empty without texts.
    """
    seen = _seen(original, release)
    if person not in seen:
        seen[person] = tuple(_replays(original, release, person))
    return seen[person]


@once_of_both
def _seen(_original: Table, _release: Table) -> dict[str | None, tuple[Replay, ...]]:
    """Return cached findings, by person column."""
    return {}


def clear_replays(
    original: Table, release: Table, *, person: str | None = None
) -> tuple[Replay, ...]:
    """Return the replays beyond chance."""
    return tuple(each for each in find_replays(original, release, person=person) if each.is_clear)


def _replays(original: Table, release: Table, person: str | None) -> Iterator[Replay]:
    columns, theirs = _sources(original, release), text_columns(original, release)
    own = _pieces(original, columns) if columns else {}
    if not any(len(each.codes) for each in own.values()):
        return
    owners, released = _owners(original, person), _pieces(release, theirs)
    has_text = original.frame[list(columns)].notna().any(axis=1).to_numpy()
    texts, people = int(has_text.sum()), max(len(np.unique(owners[has_text])), 1)
    rows = int(release.frame[list(theirs)].notna().any(axis=1).sum())
    half = np.random.default_rng(_SEED).permutation(len(owners)) % 2
    for kind, pieces in own.items():
        of_rows = half[owners[pieces.rows]]
        back = _Shared(_of_people(pieces, owners), released[kind])
        beside = [
            _Shared(_of_people(pieces.at(of_rows == side), owners), pieces.at(of_rows != side))
            for side in (0, 1)
        ]
        yield Replay(
            kind=kind, people=len(back.people), rows=len(back.rows), of_people=people,
            of_rows=rows, texts=texts, own_pairs=back.own_pairs,
            released_pairs=back.released_pairs,
            expected=sum(len(each.people) for each in beside) / people,
        )  # fmt: skip


def replayed_pieces(original: Table, release: Table, *, person: str | None = None) -> pd.DataFrame:
    """Return the pieces that clearly return, with their rows."""
    columns = text_columns(original, release)
    lines = []
    if clear := clear_replays(original, release, person=person):
        own = _pieces(original, _sources(original, release))
        released, owners = _pieces(release, columns), _owners(original, person)
    for kind in (each.kind for each in clear):
        back = _Shared(_of_people(own[kind], owners), released[kind])
        for name in columns:
            texts = release.frame[name].iloc[back.rows]
            for place, piece in spell_pieces(texts, kind, back.codes):
                row = int(release.places[back.rows[place]]) + 1
                lines.append((release.name, row, name, str(kind), piece))
    made = pd.DataFrame(lines, columns=["release", "row", "column", "kind", "piece"])
    return made.drop_duplicates().sort_values(["row", "column"], kind="stable", ignore_index=True)


def _owners(original: Table, person: str | None) -> RowArray:
    """Return each row's person; a row without one is a person."""
    if person not in original.columns:
        return np.arange(len(original))
    codes = np.array(pd.factorize(original.frame[person])[0], dtype=np.intp)
    alone = codes < 0
    codes[alone] = codes.max(initial=-1) + 1 + np.arange(alone.sum())
    return codes


def _of_people(pieces: Pieces, owners: RowArray) -> Pieces:
    return Pieces.of(pieces.codes, owners[pieces.rows])


def _pieces(table: Table, columns: Sequence[str]) -> dict[Piece, Pieces]:
    """Return pieces of several columns' texts, by row."""
    found = [find_pieces(table.frame[column]) for column in columns]
    return {
        kind: Pieces.of(
            np.concatenate([each[kind].codes for each in found]),
            np.concatenate([each[kind].rows for each in found]),
        )
        for kind in Piece
    }


class _Shared:
    """Pieces by numbers of people and rows."""

    def __init__(self, people: Pieces, rows: Pieces) -> None:
        places, different = pd.factorize(np.concatenate([people.codes, rows.codes]))
        first, second = places[: len(people.codes)], places[len(people.codes) :]
        of_people, of_rows = (
            np.bincount(each, minlength=len(different)) for each in (first, second)
        )
        back = (of_people == 1) & (of_rows > 0)
        new = (of_people == 0) & (of_rows > 1)
        self.codes: Codes = different[back]  # Of one person, and of some row
        self.people = np.unique(people.rows[back[first]])
        self.rows = np.unique(rows.rows[back[second]])
        self.own_pairs = -(-len(np.unique(people.rows[(of_people == 2)[first]])) // 2)
        self.released_pairs = -(-len(np.unique(rows.rows[new[second]])) // 2)
