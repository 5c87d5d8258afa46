"""Turns a design before and a design after into stages of work that keep a share of the bandwidth; never writes or draws them."""

from dcgen.plan.make import plan
from dcgen.plan.model import Plan, Stage, Tasks, percent

__all__ = ["Plan", "Stage", "Tasks", "percent", "plan"]
