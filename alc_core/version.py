"""Version of the package, and of what results depend on."""

from __future__ import annotations

from functools import cache

__version__ = "1.0.0"

_DEPENDENCIES = ("numpy", "pandas", "scikit-learn", "scipy", "statsmodels", "numba")


@cache
def software_versions() -> dict[str, str]:
    """Return the versions a result depends on."""
    import platform
    from importlib.metadata import version

    return {
        "anonymity-loss": __version__,
        "python": platform.python_version(),
        **{name: version(name) for name in _DEPENDENCIES},
    }
