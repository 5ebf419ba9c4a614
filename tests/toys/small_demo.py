"""The demo with a quarter of its people."""

from statsmodels.datasets import fair

whole = fair.load_pandas


def some_people():
    """Stands in for `fair.load_pandas`."""
    data = whole()
    data.data = data.data.sample(1500, random_state=1, ignore_index=True)
    return data
