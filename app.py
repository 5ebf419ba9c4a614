"""The dashboard's frame: page settings, navigation, sidebar. Pages are in pages/."""

from pathlib import Path

import streamlit as st

from alc_core.dashboard.app.frame import (
    apply_style,
    draw_refused_upload,
    draw_sidebar,
    draw_ways_out,
)
from alc_core.dashboard.parts.shelf import keep_on_shelf
from alc_core.dashboard.state.browser import keep_offers
from alc_core.dashboard.state.late_requests import page_to_go_on_to
from alc_core.dashboard.state.session import (
    Page,
    finish_page,
    go_to,
    open_state,
    pages,
    show_safely,
    shut_page,
)
from alc_core.dashboard.state.team import admitted
from alc_core.dashboard.work.campaign_runs import collect_campaign

SIDEBAR_WIDTH = 264  # Pixels; narrow, for pages of 800 pixels


def main() -> None:
    """Draw the frame and run the page."""
    assets = Path(__file__).parent / "assets"
    st.set_page_config(
        page_title="Anonymity loss",
        page_icon=str(assets / "icon.svg"),
        layout="wide",
        initial_sidebar_state=SIDEBAR_WIDTH,
    )
    st.logo(assets / "logo.svg", icon_image=assets / "icon.svg", size="large")
    inside: list[bool] = []
    show_safely(lambda: inside.append(admitted()))
    screens = [
        st.Page(page, title=page.name.replace("_", " ").capitalize(), default=page is Page.START)
        for page in pages()
    ]
    page = st.navigation(screens, position="hidden")
    here = Page[page.title.replace(" ", "_").upper()]
    if not any(inside):
        shut_page()
        return
    state = open_state(here)
    keep_offers()
    apply_style()
    draw_refused_upload(state)
    ended: list[bool] = []
    ran = state.campaign_run is not None
    well = show_safely(lambda: keep_on_shelf(state))
    well &= show_safely(lambda: ended.append(collect_campaign(state)))
    if ran and state.campaign_run is None:  # Also the findings of the ended campaign
        well &= show_safely(lambda: keep_on_shelf(state))
    if any(ended) and here is Page.ATTACK:
        go_to(Page.FINDINGS)
    well &= draw_sidebar(state, here)
    well &= show_safely(page.run)
    if not well:
        draw_ways_out(state)
    finish_page()
    if asked := page_to_go_on_to():
        go_to(asked)


if __name__ == "__main__":
    main()
