"""A RAPID result that nothing was measured for."""

from dataclasses import replace

from alc_core.measures.measure import Measured
from alc_core.studies.rapid.result import Rapid, RapidCurve, RapidDriver, RapidPart, RapidSettings


def made_rapid(
    release="weak", *, original="", unknown="job", share=0.2, known=("age", "city"), **changes
):
    """A release above its reference by a tenth."""
    reference = share - 0.1
    cuts = (0.0, 0.3, 0.9)
    found = Rapid(
        release=release,
        fingerprint=original,
        known=known,
        unknown=unknown,
        settings=RapidSettings(),
        score="gain",
        cut=0.3,
        rapid=Measured(share, share - 0.02, share + 0.02),
        reference=Measured(reference, reference - 0.02, reference + 0.02),
        beyond=Measured(0.1, 0.08, 0.12),
        curve=RapidCurve(
            cuts=cuts,
            shares=(0.5, share, 0.0),
            low=(0.45, share - 0.02, 0.0),
            high=(0.55, share + 0.02, 0.01),
            reference=(0.4, reference, 0.0),
        ),
        parts=(
            RapidPart(
                column=unknown,
                label="clerk",
                n_people=100,
                share=Measured(0.3, 0.2, 0.4),
                reference=0.1,
            ),
        ),
        drivers=(
            RapidDriver(column="age", drop=Measured(0.05, 0.04, 0.06)),
            RapidDriver(column="city", drop=Measured(0.001, 0.0, 0.002)),
        ),
        n_people=1_000,
        left_out=0,
        not_released=("judge",),
        notes=(),
    )
    return replace(found, **changes)
