"""``python -m alc_core`` is the ``alc`` command."""

from alc_core.cli import main

if __name__ == "__main__":
    main()
