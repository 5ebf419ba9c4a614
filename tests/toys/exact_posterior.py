"""The posterior of tiny grouped tables, summed over all tables that they may have come from."""

from collections import Counter
from itertools import permutations, product

import numpy as np
from scipy.special import gammaln, logsumexp

from alc_core.group_posterior.tables import VerticalTable


def possible_tables(table):
    """All that a grouped table allows, each as known values and unknown ones of its rows."""
    if isinstance(table, VerticalTable):
        groups = [
            sorted(set(permutations(table.values[start:end].tolist())))
            for start, end in zip(table.starts[:-1], table.starts[1:], strict=True)
        ]
        for chosen in product(*groups):
            yield table.known, np.array([value for group in chosen for value in group])
        return
    options = [
        [
            np.flatnonzero(covers[label])
            for covers, label in zip(table.covers, row_labels, strict=True)
        ]
        for row_labels in table.labels
    ]
    rows = [list(product(*of_row)) for of_row in options]
    for known in product(*rows):
        yield np.array(known), table.values


def log_weight(domain, prior, known, values):
    """The marginal likelihood of a table's known values given its unknown ones."""
    weights = prior.cells + domain.counts(known.astype(np.int32), values)
    found = 0.0
    for start, end in zip(domain.offsets[:-1], domain.offsets[1:], strict=True):
        before, after = prior.cells[:, start:end], weights[:, start:end]
        found += (gammaln(before.sum(axis=1)) - gammaln(after.sum(axis=1))).sum()
        found += (gammaln(after) - gammaln(before)).sum()
    return found


class ExactPosterior:
    """What attacker and learner should conclude from a tiny grouped table."""

    def __init__(self, table, prior):
        self.table, self.prior, self.domain = table, prior, table.domain
        self.tables = list(possible_tables(table))
        logs = np.array([log_weight(self.domain, prior, *each) for each in self.tables])
        self.weights = np.exp(logs - logsumexp(logs))

    def attacker(self, victim):
        """Equations 8 and 15."""
        known_of_victim = np.asarray(victim)
        seen = known_of_victim >= 0
        found = np.zeros(self.domain.n_values)
        for weight, (known, values) in zip(self.weights, self.tables, strict=True):
            like = (known[:, seen] == known_of_victim[seen]).all(axis=1)
            for value, rows in Counter(values[like].tolist()).items():
                found[value] += weight * rows
        return found / found.sum()

    def learner(self, victim, draws=100_000, seed=0):
        """Equation 6, by parameters drawn independently from the exact mixture."""
        rng = np.random.default_rng(seed)
        total = np.zeros(self.domain.n_values)
        alphas = self.prior.values + np.bincount(self.table.values, minlength=self.domain.n_values)
        numbers = rng.multinomial(draws, self.weights)
        for times, (known, values) in zip(numbers, self.tables, strict=True):
            if not times:
                continue
            weights = self.prior.cells + self.domain.counts(known.astype(np.int32), values)
            joint = rng.dirichlet(alphas, times)
            for attribute, code in enumerate(victim):
                start, end = self.domain.offsets[attribute : attribute + 2]
                if code >= 0:
                    drawn = rng.standard_gamma(
                        weights[:, start:end], (times, *weights[:, start:end].shape)
                    )
                    joint = joint * drawn[:, :, code] / drawn.sum(axis=2)
            total += (joint / joint.sum(axis=1, keepdims=True)).sum(axis=0)
        return total / draws
