"""What arrays are of, for annotations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
CodeArray = NDArray[np.int32]
BoolArray = NDArray[np.bool_]
