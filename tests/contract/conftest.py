from tests.conftest import naive_bayes_alone

_baseline = naive_bayes_alone()
