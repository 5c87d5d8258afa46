"""Turns a fabric, a traffic and what is lost into the rate that every sender gets at once, with how it is known; never guesses."""

from collections.abc import Sequence

from dcgen.analysis.flow.answer import Question, Throughput
from dcgen.analysis.flow.picks import Unanswerable
from dcgen.design.model import Design, Traffic


def throughput(design: Design, fabric: str, demand: Traffic | None = None, lost: Sequence[str] = ()) -> Throughput:
    """Maximum concurrent flow over one fabric, after everything that the selectors `lost` name is lost.

    What is absent or taken out in the design is lost already. Without a demand it is all-to-all among all terminals.

    Raises:
        Unanswerable: there is no such fabric, or a selector or the demand names nothing in it.
    """
    question = Question(design, fabric, demand)
    return question.ask([pick for text in lost for pick in question.picks(text)], " and ".join(lost))


__all__ = ["Question", "Throughput", "Unanswerable", "throughput"]
