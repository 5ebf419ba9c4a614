"""The dashboard's frame: page settings, navigation, sidebar. Pages are in pages/."""

from pathlib import Path

import streamlit as st

from alc_core.dashboard.campaign_runs import collect_campaign
from alc_core.dashboard.frame import apply_style, draw_sidebar
from alc_core.dashboard.runs import collect_run
from alc_core.dashboard.session import (
    ATTACK_PAGE,
    CAMPAIGN_PAGE,
    DATA_PAGE,
    FINDINGS_PAGE,
    go_to,
    open_state,
    show_safely,
)


def main() -> None:
    """Draw the frame and run the page."""
    assets = Path(__file__).parent / "assets"
    st.set_page_config(
        page_title="Anonymity loss", page_icon=str(assets / "icon.png"), layout="wide"
    )
    st.logo(assets / "logo.svg", icon_image=assets / "icon.svg", size="large")
    pages = [
        st.Page(DATA_PAGE, title="Data", default=True),
        st.Page(CAMPAIGN_PAGE, title="Campaign"),
        st.Page(FINDINGS_PAGE, title="Findings"),
        st.Page(ATTACK_PAGE, title="Single attack"),
    ]
    page = st.navigation(pages, position="hidden")
    state = open_state()
    ended = {"Single attack": collect_run(state), "Campaign": collect_campaign(state)}
    if ended.get(page.title):
        go_to(FINDINGS_PAGE)
    apply_style()
    draw_sidebar(state)
    show_safely(page.run)


if __name__ == "__main__":
    main()
