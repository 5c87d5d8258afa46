"""Words find parts, and the card of a part says all that is known of it."""

from pathlib import Path

import pytest

from dcgen.catalog import Shelf, card, search
from dcgen.naming import natural

SHELF = Shelf()
USERS_PART = """
part: ours
kind: switch
maker: us
title: Bench switch
part_number: US-1
aliases: [old bench]
notes: Not for sale.
source: bench
fabric: ethernet
ports: {main: {cages: 4, cage: osfp-ihs, modes: [2x400G], label: "p{cage}", split_label: "p{cage}/{leg}", protocols: [ethernet]}}
power: {typical: {value: 1.2 kW, estimate: true, note: without optics}, max: 1500 W}
price: {value: 50000 USD, date: 2026-07, source: shop}
conflicts: [{figure: price, values: [50 k, 60 k], chosen: 50 k}]
sources: {bench: {title: our bench, read: 2026-12-01, tier: derived}, shop: {title: a shop, url: "https://shop.example", tier: reseller}}
"""


@pytest.fixture
def ours(tmp_path: Path) -> Shelf:
    (tmp_path / "ours.yaml").write_text(USERS_PART)
    return Shelf(tmp_path)


def found(*words: str, shelf: Shelf = SHELF) -> list[str]:
    return [part.part for part in search(shelf, words)]


def sections(name: str, shelf: Shelf = SHELF) -> dict[str, list[list[str]]]:
    return {title: rows for title, _, rows in card(shelf.get(name))}


# search


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["QM9700"], "qm9700"),
        (["nvidia", "switch", "cpo"], None),
        (["photonics", "q3450"], "q3450-ld"),
        (["920-9B210-00FN-0M0"], "qm9700"),
        (["980-9I432"], "mcp7y00"),
        (["bianca"], "gb200-compute-tray"),
        (["raritan", "pdu"], "raritan-px3-5747v"),
        (["cdu vertiv"], "vertiv-coolchip-2300"),
        (["ethernet", "800G", "leaf"], "sn5600"),
        (["infiniband 400g", "switch", "osfp"], "qm9700"),
        (["800G", "transceiver", "dr4"], "mms4x00-nm"),
        (["gpu", "server", "infiniband"], "dgx-h100"),
        (["dac", "400g"], "mcp7y00"),
    ],
)
def test_every_word_must_occur(words: list[str], name: str | None) -> None:
    assert (name in found(*words)) if name else not found(*words)


def test_a_switch_is_not_found_by_the_ports_it_is_managed_through() -> None:
    assert "q3400-ra" in found("infiniband", "800G", "switch")
    assert "q3400-ra" not in found("ethernet", "switch")
    assert "q3400-ra" not in found("rj45")
    assert "qm9700" not in found("800G", "switch"), "its cage has 800G, its ports have 400G"


def test_no_words_find_everything_in_natural_order() -> None:
    assert found() == sorted(SHELF.ids(), key=natural)
    assert found("mms4c1") == sorted(found("mms4c1"), key=natural)


def test_notes_and_sources_are_not_searched(ours: Shelf) -> None:
    assert found("for sale", shelf=ours) == []
    assert found("shop", shelf=ours) == []
    for words in ("us-1", "OLD bench", "bench switch", "ours us"):
        assert found(words, shelf=ours) == ["ours"], words


# card


def test_card_of_a_part(ours: Shelf) -> None:
    assert card(ours.get("ours")) == [
        (
            "ours: Bench switch",
            ["", ""],
            [
                ["maker", "us"],
                ["kind", "switch"],
                ["part number", "US-1"],
                ["also called", "old bench"],
                ["confidence", "low"],
                ["fabric", "ethernet"],
                ["notes", "Not for sale."],
            ],
        ),
        (
            "Figures",
            ["figure", "value", "trust", "source", "note"],
            [
                ["price", "50,000 USD", "", "shop", "as of 2026-07"],
                ["power typical", "1.2 kW", "estimate", "bench", "without optics"],
                ["power max", "1.5 kW", "", "bench", ""],
                ["mass", "unknown", "", "", ""],
                ["height", "unknown", "", "", ""],
            ],
        ),
        (
            "Ports",
            ["group", "cages", "cage", "modes", "optics", "axes", "protocols", "labels"],
            [["main", "4", "osfp-ihs", "2 × 400 Gb/s", "pluggable", "", "ethernet", "p1/1 … p4/2"]],
        ),
        ("Conflicts", ["figure", "values", "chosen"], [["price", "50 k; 60 k", "50 k"]]),
        (
            "Sources",
            ["name", "title", "tier", "read", "address"],
            [["bench", "our bench", "derived", "2026-12-01", ""], ["shop", "a shop", "reseller", "", "https://shop.example"]],
        ),
    ]


def test_contents_of_a_rack() -> None:
    rack = sections("gb200-nvl36")
    assert rack["Contents"] == [["tray", "9", "gb200-nvl36-compute-tray"], ["switch-tray", "9", "nvlink5-switch-tray-nvl36"]]
    assert ["domain racks", "2"] in rack["gb200-nvl36: GB200 NVL36, half of an NVL36x2 domain"]
    assert ["power max", "unknown", "", "", ""] in rack["Figures"]


def test_sockets_lengths_and_lasers() -> None:
    assert sections("gb200-compute-tray")["Sockets of fabric"][0] == ["rail 0", "left-P3", "mlx5_0"]
    assert sections("mcp7y00")["Lengths"][0] == ["1 m", "980-9I432-00N001"]
    (facts,) = [rows for title, rows in sections("q3450-ld").items() if title.startswith("q3450-ld:")]
    assert ["laser modules", "18 of 8 lasers, nvidia-els"] in facts


def test_units_are_spoken() -> None:
    figures = {row[0]: row[1] for row in sections("vertiv-coolchip-2300")["Figures"]}
    assert (figures["capacity"], figures["approach"], figures["flow"], figures["depth"]) == ("2.3 MW", "4 K", "3,300 l/min", "1.2 m")
    assert {row[0]: row[1] for row in sections("gb300-gpu")["Figures"]}["memory"] == "288 GB"


@pytest.mark.parametrize("name", SHELF.ids())
def test_every_card_is_rectangular_and_names_every_source(name: str) -> None:
    part = SHELF.get(name)
    cards = card(part)
    assert all(len(row) == len(columns) for _, columns, rows in cards for row in rows)
    assert all(isinstance(cell, str) and "\n" not in cell for _, _, rows in cards for row in rows for cell in row)
    assert [row[0] for row in sections(name)["Sources"]] == list(part.sources)
    assert not any(word in cell for _, _, rows in cards for row in rows for cell in row for word in ("None", "True", "False"))
