"""Labels are unique over a design, and the name of an entry alone stands for its racks or nodes wherever a device is named."""

import random
from itertools import product

import pytest

from dcgen.diagnostics import Rejected
from dcgen.naming import folded, label, labels_in_common
from tests.cases.support import analysed, errors

LINKED = """
racks:
  compute: {part: dgx-h100, axes: {su: 2, node: 4}, absent: ["compute[su=1,node=3]"]}
  other: {part: dgx-h100}
links: [["compute[su=0,node=0]:inband1", "other:inband1"]]
require: ["count(compute[su=1]) == 3", "links(compute[node=0]) == 1"]
phases: {first: "compute[su=0]"}
"""


def test_groups_share_a_label_exactly_where_their_devices_do() -> None:
    chance = random.Random(1)

    def word() -> str:
        return chance.choice(["a", "a1", "a-a", "a1-a"])

    def group() -> tuple[str, dict[str, int]]:
        return f"{word()}/{word()}", {word(): chance.randint(1, 13) for _ in range(chance.randint(0, 2))}

    def printed(name: str, sizes: dict[str, int]) -> set[str]:
        return {folded(label(name, dict(zip(sizes, at, strict=True)))) for at in product(*map(range, sizes.values()))}

    met = 0
    for _ in range(20_000):
        groups = dict((group(), group()))
        common = set.intersection(*(printed(*g) for g in groups.items())) if len(groups) == 2 else set()
        found = [text for _, _, text in labels_in_common(groups)]
        assert bool(found) == bool(common), groups
        assert set(found) <= common
        met += bool(found)
    assert met > 10


def test_an_entry_alone_is_its_nodes_in_every_section() -> None:
    analysis = analysed(LINKED)
    assert [b.a.group for b in analysis.design.bundles] == ["compute/node"]
    assert "requirement-broken" not in errors(analysis)
    assert not {"bad-selector", "bad-requirement"} & set(errors(analysis))


@pytest.mark.parametrize("text", ["compute[su=9]", "compute[sv=0]"])
def test_an_entry_alone_has_the_axes_of_its_nodes(text: str) -> None:
    assert "bad-selector" in errors(analysed(LINKED.replace("compute[node=0])", f"{text})")))
    with pytest.raises(Rejected) as refused:
        analysed(LINKED.replace("compute[su=0,node=0]", text))
    assert {d.code for d in refused.value.diagnostics} == {"bad-selector"}
