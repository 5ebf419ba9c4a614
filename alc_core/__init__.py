"""Privacy-risk review of anonymized and synthetic tables with the Anonymity Loss Coefficient.

Examples
--------
>>> import alc_core as alc
>>> demo = alc.load_demo("fair")
>>> result = alc.assess(
...     demo.original, demo.releases["80% swapped"], demo.scenario, seed=1
... )
>>> result.verdict
<Verdict.NO_LOSS: 'no loss'>
"""

from alc_core.anonymize import swap_columns
from alc_core.assess import assess
from alc_core.assessment import Assessment
from alc_core.attacks import (
    Attack,
    AttackView,
    BestRowMatch,
    KnownValues,
    Predictions,
    Predictor,
)
from alc_core.campaign import (
    CampaignPlan,
    CampaignStore,
    CampaignView,
    plan_campaign,
    run_campaign,
)
from alc_core.curves import Measure, PrecisionRecallCurve, best_measure, precision_recall_curve
from alc_core.demo import load_demo
from alc_core.intervals import wilson_interval
from alc_core.parameters import LoopParameters, ScoringParameters
from alc_core.release import Microdata, Release
from alc_core.row_loop import RowLoop
from alc_core.scenario import Scenario, Targets
from alc_core.scores import (
    anonymity_loss,
    attack_prc_for_loss,
    f_beta,
    prc,
    precision_for_prc,
    recall_for_prc,
)
from alc_core.tables import ColumnKind, Table, check_tables, read_table, table_from_frame
from alc_core.verdict import Verdict
from alc_core.version import __version__

__all__ = [
    "Assessment",
    "Attack",
    "AttackView",
    "BestRowMatch",
    "CampaignPlan",
    "CampaignStore",
    "CampaignView",
    "ColumnKind",
    "KnownValues",
    "LoopParameters",
    "Measure",
    "Microdata",
    "PrecisionRecallCurve",
    "Predictions",
    "Predictor",
    "Release",
    "RowLoop",
    "Scenario",
    "ScoringParameters",
    "Table",
    "Targets",
    "Verdict",
    "__version__",
    "anonymity_loss",
    "assess",
    "attack_prc_for_loss",
    "best_measure",
    "check_tables",
    "f_beta",
    "load_demo",
    "plan_campaign",
    "prc",
    "precision_for_prc",
    "precision_recall_curve",
    "read_table",
    "recall_for_prc",
    "run_campaign",
    "swap_columns",
    "table_from_frame",
    "wilson_interval",
]
