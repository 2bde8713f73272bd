"""What the catalogue promises scripts, written out: keys, the attributes of a recorded state, names
of parameters, data sets.
"""

import pytest

import engine
from engine.protocol.params import params_fields

PROMISED = {
    "perceptron": ("w errors", "rule rate schedule threshold stop rounds start"),
    "winnow": ("w theta", "threshold factor rounds"),
    "multiclass_perceptron": ("W", "threshold rate rounds"),
    "streaming_perceptron": ("w", "rate drift"),
    "mapreduce_perceptron": ("w", "chunks rate"),
    "logistic_regression": ("w", "loss mode rate schedule steps penalty strength"),
    "softmax_regression": ("W", "mode size rate schedule penalty strength steps"),
    "hinge_descent": ("w b bad", "C rate mode start"),
    "perceptron_network": ("W", "unit rate"),
    "svm": ("alpha b w", "kernel degree gamma C"),
    "kernel_perceptron": ("counts", "kernel degree gamma rounds"),
    "polynomial_fit": ("coefficients", "degree basis penalty"),
    "linear_regression": ("w", "through_origin"),
    "gradient_descent": ("w", "mode rate schedule start steps loss"),
    "regularised_regression": ("w", "q strength"),
    "connect_the_dots": ("neighbours weights value", ""),
    "neighbour_regression": ("neighbours weights value", "k estimate weights"),
    "kernel_regression": ("neighbours weights value", "kernel width"),
    "locally_weighted_regression": ("neighbours weights value path", "kernel width model found"),
    "rbf_network": ("centres widths weights", "k width centres"),
    "nearest_neighbours": (
        "query neighbours votes",
        "k metric kernel degree gamma p weights normalise disagree stretch",
    ),
    "voronoi_diagram": ("cells", ""),
    "kd_tree": ("nodes", "axis leaf_size"),
    "kd_search": ("visited pruned best", "k query"),
    "lsh": ("buckets candidates", "tables bits radii"),
    "va_file": ("candidates", "bits"),
    "table_lookup": ("table", "majority"),
    "decision_tree": ("nodes", "importance ties numeric subset_tests stop prune significance"),
    "given_tree": ("row node seen wrong", "tree"),
    "regression_tree": ("nodes", "leaf min_leaf"),
    "greedy_conjunction": ("rules P N scores", "epsilon floor stuck"),
    "greedy_dnf": ("rules P N scores", "epsilon floor stuck"),
    "exhaustive_rules": ("rules P N scores", "alpha"),
    "decision_list": ("tests", "k prefer"),
    "find_s": ("S", ""),
    "candidate_elimination": ("S G", ""),
    "k_cnf": ("S", ""),
    "halving": ("version_space", ""),
    "naive_bayes": ("R prior", "laplace logs m"),
    "categorical_bayes": ("tables prior", "estimate m query"),
    "gaussian_bayes": ("means variances prior", "variances query"),
    "multinomial_bayes": ("shares prior", "added query"),
    "bayes_net_em": ("tables edges", "parents hidden"),
    "backpropagation": ("weights activations deltas", "hidden rate epochs activation mode scale"),
    "optimal_brain_damage": ("weights removed", "saliency stop"),
    "ridge_and_bump": ("weights", "steepness"),
    "tiling": ("weights removed", "stop"),
    "adaboost": ("learners z weights", "rounds learner copies"),
    "bagging": ("learners bags oob", "members depth size"),
    "random_forest": ("learners bags oob", "members depth size features"),
    "majority_vote": ("votes", "members error correlation"),
    "half_plane_and": ("W votes errors", "members lines corners"),
    "gradient_boosting": ("learners", "members rate depth min_leaf"),
    "em_means": ("means responsibilities", "k sigma start"),
    "gaussian_mixture": ("means covariances", "k start"),
    "kmeans": ("means within", "k start"),
    "weighted_majority": ("weights mistakes", "beta"),
    "randomized_weighted_majority": ("weights regret", "beta"),
    "several_classes": ("models said errors", "learner scheme answer threshold"),
    "active_learning": ("asked", "learner budget"),
    "uv_descent": ("U V", "rank rate"),
    "bayes_net_gradient": ("tables edges", "rate parents"),
    "k2_search": ("tables edges", "parents"),
    "learner_comparison": ("points errors", "learners sizes trials confidence"),
    "learning_curve": ("points errors", "learner sizes trials"),
    "shattering": ("answers made fails", "hypotheses points"),
    "pac_bounds": ("left failed share", "hypotheses learner epsilon delta n k repeats"),
    "vc_bounds": ("trail m c h", "hypotheses learner epsilon delta units repeats"),
    "mistake_bounds": ("V mistakes vc opt halving", "concepts columns points"),
    "mdl_conjunction": ("best wrong least tried sizes", "columns"),
    "version_space_exhaustion": (
        "version_space errors bad exhausted",
        "hypotheses concept epsilon examples repeats",
    ),
    "holdout": ("estimates now model", "learner scheme shares splits batches"),
    "model_selection": (
        "deal sizes model still best",
        "learner parameter low high values k until patience look",
    ),
    "overfitting_curve": (
        "points value model best",
        "learner parameter low high values share splits",
    ),
    "bootstrap_spread": ("votes lines", "learner copies size"),
    "cost_matrix": ("sweep now best", "learner costs of share"),
    "reject_option": ("levels now found", "learner allowed refused share"),
    "axis_weights": ("z error tried", "k judged splits share values rounds"),
    "column_curves": ("points errors", "learner missing irrelevant sizes trials"),
    "feature_selection": ("columns error rounds", "learner direction k until"),
    "peeking": ("part looks best fresh", "looks share hypotheses learner signal"),
    "cross_validation": ("deal errors answers", "learner scheme k"),
    "entropy": ("tried best", "column threshold counts"),
    "distance_balls": ("nearest distance", "p stretch query"),
    "curse_of_dimensionality": ("seen now", "dimensions k points rim"),
    "ensemble_error": ("seen counts", "error correlation members cases"),
    "error_interval": (
        "intervals epsilon wrong trials",
        "wrong rows confidence trained columns truth repeats",
    ),
    "posterior_of_degrees": ("weighed posterior best", "degree ratio sigma basis"),
    "regret_bounds": ("seen lengths", "runs"),
    "bayes_rule": ("chances a b", "prior sensitivity specificity tests"),
    "digit_pad": ("x answers tested", "reject picture drawn"),
}
TEXTBOOK = (
    "restaurant spam four_points_alternating four_points_crossed four_points_line six_points peak"
    " doubling dogs mit_conjunction mit_harder mit_tree mit_xor mit_bayes neighbour_drives"
    " two_bit_adder xor and or majority polynomial_seven polynomial_eight"
)
GENERATED = (
    "blobs moons circles spirals xor checkerboard gaussians sine seismic houses restaurant"
    " boolean_rule"
)


def test_every_algorithm_is_promised() -> None:
    assert set(engine.algorithms()) == set(PROMISED)


@pytest.mark.slow
@pytest.mark.parametrize("key", PROMISED)
def test_states_and_parameters_are_named_as_promised(key: str) -> None:
    state, params = (text.split() for text in PROMISED[key])
    algorithm = engine.algorithms()[key]
    last = engine.run(key, algorithm.example(), max_steps=300)[-1].state
    assert [name for name in state if not hasattr(last, name)] == []
    assert set(params) <= {field.name for field in params_fields(algorithm.params)}


def test_the_data_sets_are_there() -> None:
    assert set(TEXTBOOK.split()) <= set(engine.TEXTBOOK)
    assert set(engine.REAL) == {"iris", "wine", "digits", "votes84"}
    assert set(GENERATED.split()) <= set(engine.GENERATORS)


def test_the_best_of_a_search_are_the_nearest_rows() -> None:
    """Six points of which (7, 2) and (5, 4) are the nearest to (6, 2)."""
    X = [[2.0, 3.0], [5.0, 4.0], [9.0, 6.0], [4.0, 7.0], [8.0, 1.0], [7.0, 2.0]]
    data = engine.Dataset.from_columns({"x": [x for x, _ in X], "y": [y for _, y in X]})
    trace = engine.run("kd_search", data, k=2, query=(6.0, 2.0))
    assert trace[-1].state.best.tolist() == [5, 1]
    assert len(trace[0].state.best) == 0


def test_the_nodes_of_a_k_d_tree_are_records() -> None:
    """Four points, halved at the lower median of x, 2, then each half at that of y."""
    trace = engine.run("kd_tree", ([[1.0, 2.0], [2.0, 1.0], [3.0, 4.0], [4.0, 3.0]], [0, 0, 1, 1]))
    nodes = trace[-1].state.nodes
    assert [(node.axis, node.split) for node in nodes if node.axis >= 0] == [
        (0, 2.0),
        (1, 1.0),
        (1, 3.0),
    ]
    assert [node.rows for node in nodes if node.axis < 0] == [(1,), (0,), (3,), (2,)]
    assert [nodes[child].parent for child in (nodes[0].left, nodes[0].right)] == [0, 0]
    assert [len(step.state.nodes) for step in trace if step.line in ("split", "leaf")] == [
        1,
        2,
        3,
        4,
        5,
        6,
        7,
    ]
    assert trace[0].state.nodes == ()
