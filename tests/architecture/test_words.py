"""Names that docs/glossary.md replaced do not come back as identifiers of the product."""

import tokenize
from pathlib import Path

ROOT = Path(__file__).parents[2]
REPLACED = {  # name -> the glossary's word
    "Beside": "PageFiles; the window's DifferenceOverlay",
    "Bud": "OpenNode",
    "Foothold": "Checkpoint",
    "Front": "Frontier",
    "HallRow": "ProjectorHeader",
    "Laning": "LaneCommands",
    "Memory": "StoredExamples, StoredValues or LookupTable",
    "Pictured": "PlaneExamples",
    "SHELVES": "BUNDLED",
    "ShownStep": "Playhead",
    "Taking": "DataCommands",
    "anew": "restart",
    "asked_of": "questions_at",
    "hall_score": "projector_score",
    "hall_step": "projector_step",
    "hasty": "rapid",
    "place_asked": "query_place",
    "reckoned": "computed",
    "reckoning": "calculation",
    "reckons": "has_numbers",
    "set_hall": "set_projector",
    "shelf_of": "kind_and_name",
    "told": "details, operands, votes, args, or what was found",
}
# the earlier name of Step.details, and labels of pseudo-code, which traces and files name lines by
KEPT = {
    "engine/protocol/step.py": {"told"},
    "engine/experiments/curse_of_dimensionality/words.py": {"told"},
    "engine/experiments/distance_balls/words.py": {"told"},
    "engine/experiments/ensemble_error/words.py": {"told"},
    "engine/experiments/regret_bounds/words.py": {"told"},
}


def identifiers(path: Path) -> set[str]:
    with tokenize.open(path) as file:
        return {
            t.string for t in tokenize.generate_tokens(file.readline) if t.type == tokenize.NAME
        }


def test_replaced_names_do_not_come_back() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): names
        for room in ("engine", "gui")
        for path in sorted((ROOT / room).rglob("*.py"))
        if (names := identifiers(path) & REPLACED.keys())
    }
    assert found == KEPT, {name: REPLACED[name] for names in found.values() for name in names}
