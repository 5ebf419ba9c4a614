"""How far a campaign is, in words."""

from __future__ import annotations

from alc_core.dashboard.markdown import Markdown
from alc_core.phrasing import count, numbered
from alc_core.runtime.progress import Progress

_WITHIN_ONE_ATTACK = ("Attacking people", "Learning the baseline", "Computing the interval")


def short_duration(seconds: float) -> str:
    """Say a duration with one unit or two.

    Examples
    --------
    >>> [short_duration(seconds) for seconds in (8, 59.7, 130, 3600, 8000)]
    ['8 s', '1 min', '2 min', '1 h', '2 h 13 min']
    """
    if round(seconds) < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h" + (f" {minutes} min" if minutes else "")


def progress_words(progress: Progress) -> Markdown:
    """Say how far the attacks, or the people of a single attack, are.

    Examples
    --------
    >>> progress_words(Progress(stage="Attacking", done=5, total=25, seconds_left=100.0))
    '5 of 25 attacks · 12 per minute · about 2 min left'
    >>> progress_words(Progress(stage="Attacking people", done=300, total=800))
    '300 of at most 800 people attacked. It ends earlier once the measures are precise enough.'
    """
    if progress.stage.startswith(_WITHIN_ONE_ATTACK):
        return (
            f"{count(progress.done)} of at most {count(progress.total)} people attacked. It ends "
            "earlier once the measures are precise enough."
        )
    if progress.stage != "Attacking":
        return "The tables are being prepared. This takes a moment."
    words = [f"{count(progress.done)} of {numbered(progress.total, 'attack')}"]
    left, still = progress.seconds_left, progress.total - progress.done
    if left and still:
        rate = 60 * still / left
        words.append(f"{count(round(rate)) if rate >= 10 else f'{rate:.1f}'} per minute")
        words.append(f"about {short_duration(left)} left")
    return " · ".join(words)
