"""The widget of one parameter, from its description."""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.chips import sentence_case
from alc_core.dashboard.state.session import bind
from alc_core.parameter import Parameter


def draw_parameter(parameter: Parameter, holder: object, number: int | None = None) -> None:
    """Draw the widget of a parameter.

    Parameters
    ----------
    parameter : Parameter
        Its title, bounds and help.
    holder : object
        Has the value as an attribute of the parameter's name.
    number : int, optional
        Tells the widgets of several holders of one kind apart.
    """
    kept = bind(holder, parameter.name, number=number)
    title, text = literal(sentence_case(parameter.title)), literal(parameter.help)
    if parameter.choices:
        st.selectbox(title, parameter.choices, help=text, **kept)
    elif parameter.type is bool:
        st.checkbox(title, help=text, **kept)
    elif parameter.type is str:
        st.text_input(title, help=text, **kept)
    else:
        of: Any = parameter.type
        st.number_input(
            title,
            min_value=None if math.isinf(parameter.low) else of(parameter.low),
            max_value=None if math.isinf(parameter.high) else of(parameter.high),
            step=None if parameter.step is None else of(parameter.step),
            format="%g" if parameter.type is float else None,
            help=text,
            **kept,
        )
