"""The one door to the solver of linear programmes: maximise a sum of variables subject to sparse rows."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

Row: TypeAlias = tuple[float, float, dict[int, float]]
"""(lower, upper, column -> factor)."""


def run(lp: Any, **options: float | str) -> Any:
    """The solver after it has run a programme (`highspy.HighsLp`) silently and on one thread, so that equal input gives equal bytes."""
    import highspy

    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]  # highspy says no types for its own constructor
    solver.silent()
    solver.setOptionValue("threads", 1)
    for name, value in options.items():
        solver.setOptionValue(name, value)
    solver.passModel(lp)
    solver.run()
    return solver


def maximise(goal: Mapping[int, float], columns: int, rows: Sequence[Row], seconds: float = 60.0) -> tuple[str, float, list[float]]:
    """(status, largest value of the sum `goal` of columns, dual of every row); all columns are at least 0.

    The status is `optimal`, `infeasible`, `unbounded`, `time limit reached` or whatever else the solver says.
    """
    import highspy
    import numpy as np

    start = [0]
    index: list[int] = []
    value: list[float] = []
    for _, _, terms in rows:
        index.extend(terms.keys())
        value.extend(terms.values())
        start.append(len(index))
    cost = np.zeros(columns)
    cost[list(goal)] = list(goal.values())
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = columns, len(rows)
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = cost
    lp.col_lower_, lp.col_upper_ = np.zeros(columns), np.full(columns, highspy.kHighsInf)
    lp.row_lower_, lp.row_upper_ = np.array([r[0] for r in rows], np.float64), np.array([r[1] for r in rows], np.float64)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.array(start, np.int32)
    lp.a_matrix_.index_ = np.array(index, np.int32)
    lp.a_matrix_.value_ = np.array(value, np.float64)
    solver = run(lp, primal_feasibility_tolerance=1e-9, dual_feasibility_tolerance=1e-9, time_limit=float(seconds))
    status = str(solver.modelStatusToString(solver.getModelStatus())).lower()
    found = solver.getSolution()
    value_of = list(found.col_value)
    total = sum(weight * float(value_of[c]) for c, weight in goal.items()) if value_of else float("nan")
    return status, total, [float(y) for y in found.row_dual]
