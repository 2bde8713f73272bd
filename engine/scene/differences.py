"""The difference of two lanes as layers of a picture: their names and their place."""

DIFFERENCE = "difference"  # names of surfaces, used by no method
GHOST = "ghost of the other lane"
SURFACES = (DIFFERENCE, GHOST)
OTHER = "lane "  # the letter of the lane follows: a tag


def percent(share: float) -> str:
    """A share as text: 19.1 %; a share above 0 never reads as 0 %."""
    if 0 < share < 0.0005:
        return "less than 0.1 %"
    return "0 %" if share == 0 else f"{100 * share:.1f} %"
