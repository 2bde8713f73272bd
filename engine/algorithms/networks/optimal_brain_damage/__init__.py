"""A network that loses its links one by one, the least useful first, while it gets no worse.

AIMA 18.7.5.
"""

from typing import Annotated, Literal

from engine.algorithms.networks.optimal_brain_damage.links import Link, Pruned
from engine.algorithms.networks.parts import CALM, Arrays
from engine.algorithms.networks.parts.network_setting import (
    StartWeights,
    bounded,
    random_weights,
    shaped,
)
from engine.authoring import (
    Algorithm,
    At,
    Bool,
    Curve,
    EngineError,
    Float,
    Help,
    Int,
    Label,
    Needs,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    When,
    np,
    prepare,
    replace,
    when,
)
from engine.base.sums import add_up
from engine.numerics.class_scores import classify
from engine.numerics.closeness import equal
from engine.sources.textbook import textbook

PSEUDOCODE = """
init  round:  w[i,j] ← small random numbers
train:        repeat: train by back-propagation
judge round:    if it has got worse:
back  round:      put the last link back; end
weigh:          s ← ½·h·w² of every link
drop  round:    the link of the least s goes
"""
HIDDEN = "in each layer: 4, or 8, 2 for two"
SALIENCY = (
    "AIMA names no measure. ½hw²: about how much the loss would rise; h is its second derivative by"
    " w. |w|: the size"
)
WORSE = (
    "more wrong: of the examples, or of those held out; large loss: above a limit; never: until no"
    " link is left"
)
Stop = Literal["more wrong", "more wrong held out", "large loss", "never"]


class Params(Record, eq=True):
    hidden: Annotated[tuple[float, ...], Label("Hidden units"), Help(HIDDEN)] = (4.0,)
    saliency: Annotated[Literal["½hw²", "|w|"], Label("Saliency s"), Help(SALIENCY)] = "½hw²"
    stop: Annotated[Stop, Label("Worse means"), Help(WORSE)] = "more wrong"
    most: Annotated[float, Range(0, 10), Label("Loss at most"), When("stop", ("large loss",))] = 0.1
    rate: Annotated[
        float, Range(1e-5, 1000, log=True), Label("Rate α"), Help("one step an epoch, by the mean")
    ] = 2.0
    epochs: Annotated[int, Range(1, 100_000, log=True), Label("Epochs at first")] = 1500
    retrain: Annotated[int, Range(0, 100_000), Label("Epochs after a link")] = 200
    activation: Annotated[Literal["logistic", "tanh", "relu"], Label("Hidden activation g")] = (
        "logistic"
    )
    scale: Annotated[
        float, Range(0, 10), Label("Start scale"), Help("start weights: from −scale to +scale")
    ] = 1.0
    start: StartWeights = ()


class State(Record):
    """The model is `weights` and `removed`; `saliency`, `link` and `units` are of this step.

    weights: one (n + 1, m) array per gap between layers, biases last
    before: those before this step
    removed: of the same shapes, True where a link is removed
    saliency: of the same shapes, NaN where no link can go; () while it is not known
    link: (gap, from, to) of the one that goes, or ()
    units: hidden units (layer, number) that went with it
    epoch: of training so far
    loss: mean of Σ (y − a)² of the examples
    errors: wrong points
    kept: the state before the last link went, without its own; None before the first
    """

    weights: Arrays
    before: Arrays
    removed: tuple[Bool, ...]
    saliency: Arrays = ()
    link: Link = ()
    units: tuple[tuple[int, int], ...] = ()
    epoch: int = 0
    loss: float = 0.0
    errors: int = 0
    kept: "State | None" = None

    @property
    def links(self) -> int:
        """The number of links left, without biases."""
        return int(add_up(np.count_nonzero(~cut[:-1]) for cut in self.removed))


class Setting(Pruned[Params]):
    """X (n, d), the targets Y (n, m) of the outputs, back-propagation, and the pruning of links."""

    def performance(self, s: State) -> float:
        """The number that must not rise: errors, errors on held-out rows, or the loss above the
        limit.
        """
        stop = self.p.stop
        if stop == "never":
            return 0.0
        if stop == "large loss":
            return float(max(s.loss, self.p.most))
        if stop == "more wrong held out":
            return float(self.wrong_held_out(s))
        return float(s.errors)

    def least(self, s: State) -> list[Link]:
        """The links that tie for the least saliency, in order of gap, unit and next unit."""
        known = [a for a in s.saliency if not np.isnan(a).all()]
        least = min(float(np.nanmin(a)) for a in known)
        tied = [np.argwhere(equal(a, least)).tolist() for a in s.saliency]
        return [(gap, i, j) for gap, places in enumerate(tied) for i, j in places]


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    if given.p.start:
        weights = shaped(given.p.start, given.sizes)
    else:
        weights = random_weights(given.sizes, given.p.scale, rng)
    s = given.with_metrics(State(weights, weights, given.whole(weights)))
    yield from at("init", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    given.fits(s.weights)
    if not s.links:
        raise EngineError("No link is left to go on with: start anew.")
    if s.kept is not None:  # the examples may be others now
        s = replace(s, kept=given.with_metrics(s.kept))
    while True:
        s, sound = yield from train(given, at, s)
        if not sound:
            return
        kept = s.kept
        was = np.inf if kept is None else given.performance(kept)
        now = given.performance(s)
        worse = now > was
        bare = s.links == 0
        events = when(worse=worse, bare=bare and not worse)
        yield from at("judge", s, "round", *events, was=was, now=now)
        if worse and kept is not None:
            yield from at("back", replace(kept, before=s.weights, link=s.link, units=()), "back")
        if worse or bare:
            return
        kept = replace(s, kept=None)
        s = replace(s, before=s.weights, saliency=saliency(given, s), link=(), units=(), kept=kept)
        s = replace(s, link=at.take(given.least(s)))
        yield from at("weigh", s)
        # its w ← 0 for good; a hidden unit without a link to it or from it goes too
        s = given.with_metrics(given.without(s))
        yield from at("drop", s, *when(unit=bool(s.units)), loss=kept.loss)


def train(given: Setting, at: At, s: State) -> Part[State, tuple[State, bool]]:
    """(the state after epochs of back-propagation with the links that are left, whether the weights
    stayed bounded).
    """
    first = given.p.epochs - s.epoch
    for many in given.looks(first if first > 0 else given.p.retrain):
        weights = s.weights
        for epoch in range(many):
            a = given.forward(weights, given.X)  # a[j] = g(Σ w[i,j]·a[i]), layer by layer
            # Δ[j] = g′·(y[j] − a[j]) of the outputs, before them Δ[i] = g′·Σ w[i,j]·Δ[j]
            deltas = given.backward(weights, a, given.Y)
            weights = given.learnt(weights, a, deltas)  # w[i,j] + α·a[i]·Δ[j], by the mean
            weights = given.cut(weights, s.removed)  # 0 for the removed links
            if epoch % given.pause == 0:
                yield None
        if not bounded(weights):
            yield from at.end("train", s, "diverged", broken=True)
            return s, False
        s = replace(s, before=s.weights, weights=weights, epoch=s.epoch + many)
        s = given.with_metrics(s)
        yield from at("train", s)
    return s, True


@CALM
def saliency(given: Setting, s: State) -> Arrays:
    """s ← ½·h·w² of every link, about how much the loss would rise without it; or |w|. NaN where a
    link cannot be removed.
    """
    if given.p.saliency == "|w|":
        found = [np.abs(w) for w in s.weights]
    else:
        h = curvature(given, s.weights)
        found = [0.5 * h[gap] * w * w for gap, w in enumerate(s.weights)]
    return given.of_links(found, s.removed)


@CALM
def curvature(given: Setting, weights: Arrays) -> Arrays:
    """h = ∂²Loss/∂w² of every weight, without the part that fades with the error: the mean over the
    examples of 2 Σ (∂o/∂w)² over the outputs o, where ∂o/∂w[i,j] = a[i] · ∂o/∂in[j].
    """
    a = given.forward(weights, given.X)
    n = len(given.X)
    h = [np.zeros(w.shape) for w in weights]
    for output in np.eye(weights[-1].shape[1]):
        # ∂o/∂in is the Δ of an error y − a of 1 at the output o, of 0 at the others
        slopes = given.backward(weights, a, a[-1] + output)
        for gap, slope in enumerate(slopes):
            h[gap][:-1] += 2.0 / n * ((a[gap] ** 2).T @ slope**2)
            h[gap][-1] += 2.0 / n * (slope**2).sum(0)
    return tuple(h)


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the class of the largest output; of one output the first class where a ≥ ½."""
    inputs = given.inputs(s, X)  # of the outputs: a = g(in) is larger where in is
    return classify(inputs)


def held_out_judges(p: Params) -> bool:
    """Whether a run with these parameters looks at the held-out rows."""
    return p.stop == "more wrong held out"


def example() -> Problem:
    return prepare(textbook("xor"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Optimal brain damage",
    task=Task.CLASSIFY,
    source=("AIMA 18.7.5",),
    needs=Needs(min_classes=2, numeric=True),
    events=("round", "unit", "worse", "bare", "back", "diverged"),
    curves=(
        Curve("errors", "wrong points", of_n=True, digits=0),
        Curve("links", "links left", digits=0, about=("saliency",)),
        Curve("loss", "mean squared error", digits=4),
    ),
    scores=Setting.scores,
    tweak=Setting.tweak,
    uses_held_out=held_out_judges,
)
