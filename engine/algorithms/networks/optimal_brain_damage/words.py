"""What optimal brain damage says. AIMA 18.7.5."""

from engine.algorithms.networks.optimal_brain_damage import Params, Setting, State, curvature
from engine.algorithms.networks.optimal_brain_damage.links import Link
from engine.algorithms.networks.optimal_brain_damage.picture import by_saliency
from engine.algorithms.networks.parts.figures import link_name, link_tag, symbols, unit_tag
from engine.algorithms.networks.parts.network_setting import net_text
from engine.algorithms.networks.parts.words import diverged, explain, flat_units, hidden_chip
from engine.authoring import Choice, Fact, Formula, Mapping, Note, Operand, Option, note, short
from engine.base.notation import listed

__all__ = ["explain"]
SUMMARY = (
    "A network with all links learns. Then the link that matters least goes, the others learn on,"
    " and so forth, until the network gets worse: what is left is small. A unit without a link"
    " to the output goes too."
)
ERRATA = (
    (
        "AIMA 18.7.5 drops links by “an information-theoretic approach” that it does not print."
        " ½·h·w² and |w| are the lab's choice; h leaves out the part of the second derivative that"
        " fades with the error, so that no s is negative."
    ),
)
MOST_OPTIONS = 12
TIE = "of equal links the first: by layer, then by the unit it comes from"
WRONG = Fact("wrong points", "{errors}")
LOSS = Fact("loss", "{loss}")
LINKS = Fact("links left", "{links}")
COUNTED = {
    "more wrong": "{now} {now:example is|examples are} wrong",
    "more wrong held out": "{now} held-out {now:example is|examples are} wrong",
    "large loss": "the loss is {loss}",
    "never": "the loss is {loss}",
}


def wording(p: Params) -> Mapping[str, str]:
    lines = dict[str, str]()
    if p.saliency == "|w|":
        lines["weigh"] = "  s ← |w| of every link"
    if p.stop == "never":
        lines["judge"] = "  if no link is left:"
        lines["back"] = "    end"
    return lines


def chips(p: Params) -> tuple[str, ...]:
    return (hidden_chip(p), f"s = {p.saliency}", f"α {short(p.rate)}")


def init(given: Setting, s: State) -> Note:
    start = "as given" if given.p.start else "as small random numbers"
    lead = (
        "A {net} network with {links:its|all its} {links} {links:link|links}. Its weights start"
        f" {start}."
    )
    flat, counts = flat_units(given, s)
    return note(lead + flat, net=net_text(given.sizes), links=s.links, **counts)


def train(given: Setting, s: State, broken: bool = False) -> Note:
    if broken:
        return diverged(given)
    lead = "{links} {links:link has|links have} learnt for {epoch} {epoch:epoch|epochs} in all."
    return note(lead, WRONG, LOSS, epoch=s.epoch, **shared_operands(s))


def weigh(given: Setting, s: State) -> tuple[Note, Choice]:
    """The note and choice of the link of least saliency."""
    gap, i, j = s.link
    w = float(s.weights[gap][i, j])
    tag = link_tag(s.link)
    operands = {
        "w": Operand(w, "w", tag, 4),
        "s": Operand(float(s.saliency[gap][i, j]), "s", tag, 4),
    }
    law = Formula("s =", "|{w}|", "{s}")
    if given.p.saliency != "|w|":
        law = Formula("s =", "½·{h}·{w}²", "{s}")
        operands["h"] = Operand(float(curvature(given, s.weights)[gap][i, j]), "h", tag, 4)
    lead = "Of {links} {links:link|links} {name} matters least."
    said = note(lead, law, links=s.links, name=_link(s, s.link), **operands)
    winners = given.least(s)
    shown = list(dict.fromkeys([*winners, *by_saliency(s.saliency)[:MOST_OPTIONS]]))
    options = tuple(
        Option(link_name(s.weights, k), float(s.saliency[k[0]][k[1:]]), link_tag(k), value=k)
        for k in shown
    )
    first = tuple(range(len(winners)))
    return said, Choice("Which link matters least?", options, first, 0, TIE, "s", True, 6)


def drop(given: Setting, s: State, loss: float) -> Note:
    """The note of a removed link and the rise of the loss before retraining. loss: before"""
    operands = {"was": Operand(loss, digits=4), "rise": Operand(s.loss - loss, digits=4)}
    facts = [WRONG, Fact("loss before and now", "{was}, {loss}")]
    if given.p.saliency != "|w|":
        facts.append(Fact("rise of the loss, and s", "{rise}, {s}"))
        operands["s"] = Operand(float(s.saliency[s.link[0]][s.link[1:]]), "s", link_tag(s.link), 4)
    lead = "The link {name} goes."
    if s.units:
        names = listed([symbols(s.weights)[layer][k] for layer, k in s.units])
        operands["units"] = Operand(names, about=" ".join(unit_tag(*unit) for unit in s.units[:1]))
        lead += (
            " With it {units}, which {many:is|are} of no more use; what {many:it|they} always said,"
            " the biases say now."
        )
        operands["many"] = Operand(len(s.units))
    return note(lead, *facts, LINKS, name=_link(s, s.link), **operands, **shared_operands(s))


def judge(given: Setting, s: State, was: float, now: float) -> Note:
    counted = COUNTED[given.p.stop]
    if was == float("inf"):
        lead = f"The network has learnt: {counted}."
    elif now > was:
        lead = f"Without the link {counted}: worse than before ({{was}})."
    elif given.p.stop == "never":
        lead = f"Without the link {counted}. It stays away."
    else:
        lead = f"Without the link {counted}: no worse. It stays away."
    if not s.links:
        lead += " No link is left: the network says the same to every example."
    digits = 4 if given.p.stop == "large loss" else 0
    return note(
        lead,
        WRONG,
        LOSS,
        LINKS,
        was=Operand(was, digits=digits),
        now=Operand(now, digits=digits),
        **shared_operands(s),
    )


def back(given: Setting, s: State) -> Note:
    lead = (
        "{name} and the weights from before come back. {links} {links:link is|links are} left: the"
        " end."
    )
    return note(lead, WRONG, LOSS, LINKS, name=_link(s, s.link), **shared_operands(s))


def shared_operands(s: State) -> dict[str, Operand]:
    """The operands that several notes share: errors, loss, links left."""
    return {
        "errors": Operand(s.errors),
        "loss": Operand(s.loss, digits=4),
        "links": Operand(s.links),
    }


def _link(s: State, link: Link) -> Operand:
    return Operand(link_name(s.weights, link), about=link_tag(link))
