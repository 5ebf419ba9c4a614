"""A made-up survey with codes for "not applicable", as national surveys have them."""

import numpy as np
import pandas as pd


def make_survey(n, seed):
    """People of all ages; N stands for what children, idle people and civilians do not have."""
    rng = np.random.default_rng(seed)
    age, sex = rng.integers(0, 91, n), rng.integers(1, 3, n)
    education = np.clip(age // 6 + rng.integers(-2, 4, n), 1, 12)
    log_income = 8.5 + 0.15 * education + 0.2 * (sex == 1) + rng.normal(0, 0.7, n)
    income = np.where(rng.random(n) < 0.08, 0, np.round(np.exp(log_income), -1)).astype(int)
    married = rng.random(n) < np.clip((age - 15) / 50, 0, 0.75)
    status = np.where(married, rng.choice(["1", "2"], n), rng.choice(["3", "4", "5", "6"], n))
    works = (age > 15) & (rng.random(n) < 0.7)
    disabled = (age > 20) & (rng.random(n) < 0.01)
    return pd.DataFrame(
        {
            "PUMA": rng.choice(["01-01301", "08-00803", "36-03710", "48-02500"], n),
            "AGEP": age,
            "SEX": sex,
            "MSP": np.where(age < 15, "N", status),
            "EDU": np.where(age < 3, "N", education.astype(str)),
            "INDP_CAT": np.where(works, rng.integers(0, 19, n).astype(str), "N"),
            "PINCP": np.where(age < 15, "N", income.astype(str)),
            "DVET": np.where(disabled, rng.integers(1, 7, n).astype(str), "N"),
            "HOUSING_TYPE": rng.choice([1, 2, 3], n, p=[0.9, 0.05, 0.05]),
        }
    )
