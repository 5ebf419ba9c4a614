"""What learning attacks are about, explained to somebody who decides about a release."""

from __future__ import annotations

TITLE = "Population privacy is not personal privacy"

EXPLANATION = (
    "Whoever reads a release learns about the **population**: which jobs go with which education, "
    "which illness with which age. With that, a stranger can say a lot about you, and often be "
    "right, from a release that holds nothing about you at all. Anonymization cannot prevent it, "
    "and should not: such patterns are what data are published for.",
    "A **personal** loss is something else. It is what can be said about you only because your own "
    "record was in the data: somebody else in your place would have been guessed worse.",
    "The accuracy of an attack mixes the two. This page takes them apart in two ways: it attacks "
    "people who are **not** in the release beside people who are, and the anonymity loss "
    "coefficient (ALC) of every finding counts only what an attack gains over a baseline that "
    "never saw the person.",
)
"""In paragraphs of Markdown."""

SOURCE = (
    "The figures are those of G. Cormode, Personal Privacy vs Population Privacy: Learning to "
    "Attack Anonymization (KDD 2011)."
)

EXAMPLE_EXPLANATION = (
    "Publish counts of your original with the noise of differential privacy, let the naive Bayes "
    "attack loose on them, and measure it as every attack here is measured: against a baseline "
    "that never saw the people it predicts."
)
