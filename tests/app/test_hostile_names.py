"""Names and words from strangers are shown on every page as they are, and mean nothing there."""

import re

import pytest
from google.protobuf.message import Message

from tests.app.conftest import csv, opened
from tests.app.test_frame import PAGES, framed  # noqa: F401 - a fixture
from tests.toys.hostile import NAMES, PICTURE, TAG, hostile_campaign, hostile_tables

MARKDOWN = {"body", "caption", "delta", "help", "label", "content", "text"}
AS_IT_IS = {"html", "arrow_data_frame", "plotly_chart", "bidi_component", "iframe"}
"""Elements that are no Markdown: their own tests look at them."""


@pytest.fixture(scope="module")
def file(people, tmp_path_factory):
    path = tmp_path_factory.mktemp("hostile") / "review.alc"
    hostile_campaign(people(300), path)
    return path


def texts(message: Message):
    """Yield all texts of an element that Streamlit reads as Markdown."""
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for each in value if field.is_repeated else [value]:
                yield from texts(each)
        elif field.type == field.TYPE_STRING and field.name in MARKDOWN:
            yield from value if field.is_repeated else [value]


@pytest.fixture
def hostile(app, file, people):
    original, release = hostile_tables(people(300))
    app.load((f"{TAG}.csv", csv(original)), (f"{PICTURE}.csv", csv(release)))
    with opened(app, file):
        yield app


@pytest.mark.parametrize("page", sorted({*PAGES} - {"methods"}))  # Shows no data
def test_no_text_of_data_is_markdown(hostile, framed, page):  # noqa: F811
    framed(hostile, page)
    assert not hostile.test.exception
    seen = []
    for element in hostile.test._tree:
        if element.type in AS_IT_IS or not isinstance(getattr(element, "proto", None), Message):
            continue
        for text in texts(element.proto):
            seen.append(text)
            bare = re.sub(r"\\.|\]\(methods#[\w-]*\)", "", text)  # without what is escaped
            left = [mark for mark in ("](", "<", "&sol", "://", "www.") if mark in bare]
            assert not left, (element.type, text)
            assert not [name for name in NAMES if name in text], (element.type, text)
    assert seen
