"""Tables that belong together by keys, and the person of each row."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import pandas as pd

from alc_core.arrays import IntArray
from alc_core.errors import InputError
from alc_core.phrasing import listed, quoted
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values.texts import canonical_labels

MOSTLY = 0.5  # Share of a child's rows whose key the parent has
_FEWEST = 2  # Distinct values of a key
_KEY = re.compile(r"(?P<child>.+)\.(?P<column>[^=]+)=(?P<parent>.+)\.(?P<own>.+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A key from each row of a child table to its parent's.

    Examples
    --------
    >>> print(Link.read("visits.patient=people.id"))
    visits.patient=people.id
    """

    child: str
    column: str
    parent: str
    parent_column: str

    def __str__(self) -> str:
        return f"{self.child}.{self.column}={self.parent}.{self.parent_column}"

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a link from its text.

        Raises
        ------
        InputError
            If it is not TABLE.COLUMN=TABLE.COLUMN.
        """
        found = _KEY.fullmatch(text.strip())
        if found is None:
            raise InputError(f"'{text}' is not a key. Write one such as visits.patient=people.id.")
        child, column, parent, own = (found[each].strip() for each in found.groupdict())
        return cls(child=child, column=column, parent=parent, parent_column=own)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinkedTables:
    """Tables that belong together; the root has a row for each person.

    Attributes
    ----------
    name : str
    tables : mapping of str to Table
        By name; a release's have the original's names.
    links : tuple of Link
        From each table but the root to its parent.
    """

    name: str
    tables: Mapping[str, Table]
    links: tuple[Link, ...]

    @classmethod
    def of(
        cls, tables: Mapping[str, Table], *, name: str, keys: Iterable[Link] = (),
        like: LinkedTables | None = None,
    ) -> Self:  # fmt: skip
        """Link tables by given keys, and others found by values and names.

        Parameters
        ----------
        tables : mapping of str to Table
        name : str
        keys : iterable of Link, optional
            Known keys; inapplicable ones are ignored.
        like : LinkedTables, optional
            A release's original, which has the tables' relations.

        Raises
        ------
        InputError
            If a table has no key, or a parent has a key twice.
        """
        if len(tables) < 2 and like is None:
            raise InputError(f"'{name}' has one table. Linked tables are two or more.")
        if like is not None and (strange := sorted({*tables} - {*like.tables})):
            raise InputError(
                f"Release '{name}' has a table '{strange[0]}', but the original's are "
                f"{quoted(list(like.tables))}. Use the same names."
            )
        told = [key for key in keys if _fits(key, tables)]
        links = _like(tables, told, like) if like else _guessed(tables, told)
        found = cls(name=name, tables=tables, links=tuple(links))
        found.check()
        return found

    @property
    def root(self) -> str | None:
        """Table with a row for each person; None if only the key names people."""
        children = {link.child for link in self.links}
        return next((name for name in self.tables if name not in children), None)

    @property
    def children(self) -> tuple[str, ...]:
        """Names of the other tables."""
        return tuple(name for name in self.tables if name != self.root)

    def link(self, child: str) -> Link:
        """Return a table's key to its parent."""
        return next(link for link in self.links if link.child == child)

    @property
    def keys(self) -> Mapping[str, frozenset[str]]:
        """Columns that are keys, by table."""
        named = [(each.child, each.column) for each in self.links]
        named += [(each.parent, each.parent_column) for each in self.links]
        return {t: frozenset(c for table, c in named if table == t) for t in self.tables}

    @property
    def joined_by(self) -> str:
        """The keys' columns in words."""
        return quoted(list(dict.fromkeys(link.column for link in self.links)))

    def only(self, *names: str) -> LinkedTables:
        """Return these tables alone, people named by their keys."""
        kept = {
            name: self.tables[name].with_kinds(
                dict.fromkeys(self.keys[name], ColumnKind.IDENTIFIER)
            )
            for name in names
        }
        links = [link for link in self.links if link.child in kept]
        alone = [replace(e, parent="") if e.parent not in kept else e for e in links]
        return replace(self, tables=kept, links=tuple(alone))

    def check(self) -> None:
        """Refuse a parent with two rows of one key."""
        for link in self.links:
            if link.parent and not _labels(self.tables[link.parent], link.parent_column).is_unique:
                raise InputError(
                    f"'{link.parent}' of '{self.name}' has several rows with one "
                    f"'{link.parent_column}'. Name the key: CHILD.COLUMN=PARENT.COLUMN."
                )

    def people(self) -> tuple[Mapping[str, IntArray], int]:
        """Return each row's person by table, and the number of people.

        The root's come first. Orphans are people by their key; rows without a key are one each.
        """
        number: dict[str, IntArray] = {}
        count = 0
        if self.root is not None:
            count = len(self.tables[self.root])
            number[self.root] = np.arange(count, dtype=np.int64)
        if any(not link.parent for link in self.links):
            heads = [link for link in self.links if not link.parent]
            named = [canonical_labels(self.tables[e.child].frame[e.column]) for e in heads]
            codes, count = _numbered(pd.concat(named, ignore_index=True), count)
            ends = np.cumsum([len(each) for each in named])[:-1]
            number |= {e.child: own for e, own in zip(heads, np.split(codes, ends), strict=True)}
        while left := [link for link in self.links if link.child not in number]:
            for link in (each for each in left if each.parent in number):
                keys = _labels(self.tables[link.parent], link.parent_column)
                own = canonical_labels(self.tables[link.child].frame[link.column])
                places = pd.Index(keys).get_indexer(pd.Index(own))
                of_rows = number[link.parent][keys.index.to_numpy()][places]
                orphans = np.flatnonzero(places < 0)
                of_rows[orphans], count = _numbered(own.iloc[orphans], count)
                number[link.child] = of_rows
        return number, count

    def described(self) -> str:
        """Say which key joins which tables."""
        return listed([str(link) if link.parent else f"{link.child}.{link.column}"
                       for link in self.links])  # fmt: skip


def _numbered(labels: pd.Series, start: int) -> tuple[IntArray, int]:
    codes, distinct = pd.factorize(labels)
    codes = codes.astype(np.int64)
    missing = np.flatnonzero(codes < 0)
    codes[missing] = len(distinct) + np.arange(len(missing))
    return codes + start, start + len(distinct) + len(missing)


def _fits(key: Link, tables: Mapping[str, Table]) -> bool:
    parts = ((key.child, key.column), (key.parent, key.parent_column))
    return all(name in tables and column in tables[name].columns for name, column in parts)


def _labels(table: Table, column: str) -> pd.Series:
    return canonical_labels(table.frame[column]).dropna()


Rank = tuple[bool, bool, float]  # Same name, several rows of a key, share of the child's rows


def _candidates(table: Table) -> Iterator[tuple[str, pd.Series]]:
    for column in table.columns:
        if table.kind(column) is not ColumnKind.DATETIME:
            yield column, _labels(table, column)


def possible_keys(tables: Mapping[str, Table], child: str) -> list[Link]:
    """Return the keys that lead some rows of a table to another one, the likeliest first."""
    others = [name for name in tables if name != child]
    found = sorted(_guesses(tables, child, others, at_least=0.0), key=lambda g: g[0], reverse=True)
    return [link for _, link in found]


def _guesses(
    tables: Mapping[str, Table], child: str, parents: Sequence[str], *, at_least: float = MOSTLY
) -> Iterator[tuple[Rank, Link]]:
    own = [(c, labels) for c, labels in _candidates(tables[child]) if len(labels)]
    for parent in parents:
        for key, values in _candidates(tables[parent]):
            if len(values) < _FEWEST or not values.is_unique:
                continue
            for column, labels in own:
                share = float(labels.isin(values).mean())
                if share > 0 and share >= at_least:
                    yield (
                        (column == key, not labels.is_unique, share),
                        Link(child=child, column=column, parent=parent, parent_column=key),
                    )


def _guessed(tables: Mapping[str, Table], told: Sequence[Link]) -> list[Link]:
    """Return a link for each table of an original but one."""
    links = {link.child: link for link in told if link.child != link.parent}

    def above(name: str) -> Iterator[str]:
        while name in links:
            name = links[name].parent
            yield name

    found = [
        guess
        for child in tables
        if child not in links
        for guess in _guesses(tables, child, [name for name in tables if name != child])
    ]
    for _, link in sorted(found, key=lambda guess: guess[0], reverse=True):
        if link.child not in links and link.child not in above(link.parent):
            links[link.child] = link
    roots = [name for name in tables if name not in links]
    if len(roots) == 1:
        return list(links.values())
    shared = next((link.column for link in told if link.child == link.parent), None)
    shared = shared or _shared_key(tables, roots)
    if shared is None or links:
        raise InputError(
            f"No column joins {quoted(roots)}. Name the key, such as {roots[-1]}.id={roots[0]}.id."
        )
    return [Link(child=name, column=shared, parent="", parent_column=shared) for name in roots]


def _shared_key(tables: Mapping[str, Table], names: Sequence[str]) -> str | None:
    common = [
        c for c in tables[names[0]].columns if all(c in tables[name].columns for name in names)
    ]
    sizes = {}
    for column in common:
        values = [_labels(tables[name], column).drop_duplicates() for name in names]
        pairs = itertools.combinations(values, 2)
        if all(one.isin(other).mean() >= MOSTLY for one, other in pairs):
            sizes[column] = min(map(len, values))
    for name in names:
        # Such as hospital and number: one of them would mix people
        if len(sizes) > 1 and not tables[name].frame[[*sizes]].duplicated().any():
            raise InputError(
                f"{quoted([*sizes])} together may name a row of '{name}'. Join them, "
                f"or name the key: {name}.{next(iter(sizes))}={name}.{next(iter(sizes))}."
            )
    return max(sizes, key=lambda column: sizes[column], default=None)


def _like(tables: Mapping[str, Table], told: Sequence[Link], like: LinkedTables) -> list[Link]:
    """Return a release's links: the original's, by its own columns."""
    links = []
    for link in like.links:
        if link.child not in tables:
            continue
        if named := [key for key in told if (key.child, key.parent) == (link.child, link.parent)]:
            links.append(named[0])
        elif link.parent in tables:
            guesses = [*_guesses(tables, link.child, [link.parent])]
            if not guesses:
                raise InputError(
                    f"No column joins '{link.child}' to '{link.parent}'. Name the key, such as "
                    f"{link.child}.{link.column}={link.parent}.{link.parent_column}."
                )
            links.append(max(guesses, key=lambda guess: guess[0])[1])
        else:
            links.append(replace(link, column=_own_key(tables, link, told, like), parent=""))
    return links


def _own_key(
    tables: Mapping[str, Table], link: Link, told: Sequence[Link], like: LinkedTables
) -> str:
    """Return a released table's key to a parent not released."""
    table = tables[link.child]
    if link.column in table.columns:
        return link.column
    if own := [key.column for key in told if key.child == link.child]:
        return own[0]
    new = [c for c in table.columns if c not in like.tables[link.child].columns]
    if len(new) != 1:
        raise InputError(
            f"'{link.child}' has no column '{link.column}', which names people in the original. "
            f"Name its key: {link.child}.COLUMN={link.child}.COLUMN."
        )
    return new[0]
