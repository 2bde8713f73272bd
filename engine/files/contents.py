"""The tables of contents of the five texts, in our own words and in the text's order.

A line is `place | what it is about | openings`. A figure, example or exercise belongs to the
section above it. An opening is the data with which the text shows the place, if that does not
follow from a data set's `source`: `data +columns name=value … @step`; “;” separates several. A
place in brackets in a title is about the same, so its methods open this place too. Methods declare
the places that they open themselves (`Algorithm.source`).
"""

AIMA = """
18            | Learning from examples
18.1          | What feedback a learner gets
18.2          | Curves of growing freedom, and Ockham’s razor    | polynomial_seven degree=6 @-1
Fig 18.1(a)   | A line that agrees with all points               | polynomial_eight degree=7 take=simplest_consistent @-1
Fig 18.1(b)   | A curve of degree 7 through the same points      | polynomial_eight degree=7 @-1
Fig 18.1(c)   | Degree 6 through seven other points              | polynomial_seven degree=6 @-1
Fig 18.1(d)   | A line with a sine through them                  | polynomial_seven basis=with_sine degree=1 @-1
18.3          | Decision trees                                   | restaurant
18.3.1        | A tree as a row of tests                         | restaurant @-1
Fig 18.2      | The tree that decided whether to wait            | restaurant:100 @-1
18.3.2        | What trees can say, and how many there are       | xor; majority
Fig 18.3      | Twelve decisions to wait for a table
18.3.3        | Growing a tree from examples                     | restaurant
Fig 18.4      | Patrons tells much, Type nothing                 | restaurant @1; restaurant @4
Fig 18.5      | The recursion as pseudo-code                     | restaurant
Fig 18.6      | The tree that the twelve rows give               | restaurant @-1
Fig 18.7      | How the share of right answers grows             | restaurant:100 @-1
18.3.4        | Bits: entropy, remainder, gain                   | restaurant @1
Ex 18.5       | When a gain is zero                              | restaurant @1
18.3.5        | Overfitting, and pruning by χ²                   | restaurant:100:0.1 prune=chi2; xor prune=chi2; xor stop=no-gain; dice prune=chi2
Ex 18.8       | Pruning the restaurant’s tree                    | restaurant prune=chi2 @-1
18.3.6        | Gaps, many values, numbers, values as answers    | restaurant importance=ratio; restaurant subset_tests=yes; iris; houses leaf=linear; sine leaf=constant
Ex 18.9       | Rows that lack a value                           | restaurant missing=weights
Ex 18.10      | Gain ratio on the twelve rows                    | restaurant importance=ratio @-1
18.4          | Judging and choosing hypotheses
18.4.1        | How large a tree should be                       | restaurant:100:0.1 stop=nodes nodes=7
Fig 18.8      | The wrapper round a learner, as pseudo-code      | restaurant:200:0.1 patience=1; restaurant:200:0.1
Fig 18.9      | Errors against the size of a tree                | restaurant:200:0.1
18.4.2        | From counting errors to counting losses
18.4.3        | A price for complexity                           | polynomial_seven degree=9 penalty=0.01; correlated q=1
18.5          | How many examples are enough
18.5.1        | Decision lists                                   | restaurant
Fig 18.10     | A list for the restaurant                        | restaurant k=2 prefer=widest @-1
Fig 18.11     | Building a list, as pseudo-code                  | restaurant
Fig 18.12     | A list beside a tree                             | restaurant:100 prefer=smallest @-1
Ex 18.14      | What lists of tests can express                  | xor
18.6          | Linear models
18.6.1        | One input: least squares and descent             | houses
Fig 18.13     | Prices, floor space, and the bowl of the loss    | houses @-1
18.6.2        | Several inputs, and weights that are shrunk      | correlated
Fig 18.14     | A diamond or a circle against ovals of loss      | correlated q=1 @-1; correlated q=2 @-1
18.6.3        | A hard threshold: the perceptron rule            | seismic rule=aima threshold=learned
Fig 18.15     | Earthquakes and explosions                       | seismic rule=aima threshold=learned; seismic:72 rule=aima threshold=learned
Fig 18.16     | Training curves of the perceptron rule           | seismic rule=aima threshold=learned @-1; seismic:72 rule=aima threshold=learned rounds=100 @-1; seismic:72 rule=aima threshold=learned rounds=100 schedule=1000/(1000+t) @-1
18.6.4        | A soft threshold: logistic regression            | seismic mode=stochastic
Fig 18.17     | The logistic function over the plane             | seismic:72 mode=stochastic @-1
Fig 18.18     | Training curves of logistic regression           | seismic mode=stochastic @-1; seismic:72 mode=stochastic @-1; seismic:72 mode=stochastic schedule=1000/(1000+t) @-1
18.7          | Neural networks
18.7.1        | Units and links                                  | and; or
Fig 18.19     | One unit                                         | and
18.7.2        | A single layer, output by output                 | two_bit_adder; majority
Fig 18.20     | Networks without and with a hidden layer         | two_bit_adder
Fig 18.21     | AND and OR have a line, XOR has none             | and @-1; or @-1; xor @-1
Ex 18.20      | Which Boolean functions have a line
Fig 18.22     | A perceptron beside a tree (AIMA 18.3, AIMA 18.7.2) | majority; restaurant:100; restaurant:100 +one_hot unit=threshold
18.7.3        | Hidden layers: ridges and bumps                  | circles; xor
Fig 18.23     | Two sigmoids make a ridge, two ridges a bump     | circles bumps=one
18.7.4        | Errors that are handed back                      | xor; circles; restaurant:100 +one_hot hidden=4
Fig 18.24     | Back-propagation as pseudo-code                  | xor
Fig 18.25     | A network on the restaurant’s rows               | restaurant:100 +one_hot hidden=4 epochs=400
Ex 18.22      | What linear units and small weights come to      | seismic scale=0.01
18.7.5        | Finding the structure of a network               | xor saliency=½hw²; xor units=40; circles units=40; circles k=5
18.8          | Examples kept in place of a formula              | restaurant default=none
18.8.1        | Neighbours that vote                             | seismic:72 k=1; seismic:72 k=5 normalise=yes
Fig 18.26     | One neighbour and five                           | seismic:72 k=1; seismic:72 k=5
Fig 18.27     | Neighbourhoods in many dimensions
18.8.2        | Neighbours found through a tree                  | blobs
18.8.3        | Neighbours found by hashing                      | blobs tables=3
18.8.4        | Regression by neighbours                         | regression_points
Fig 18.28     | Four ways through the same points                | regression_points outside=hold; regression_points k=3 estimate=mean; regression_points k=3 estimate=line; regression_points kernel=quadratic width=10
Fig 18.29     | A weight that ends at ±5                         | regression_points kernel=quadratic width=10
18.9          | Widest margins and kernels                       | margin_set C=inf; circles kernel=quadratic rounds=100
Fig 18.30     | Three lines, and the one with the widest margin  | margin_set C=inf @-1
Fig 18.31     | A circle that becomes a plane                    | circles kernel=quadratic @-1
Ex 18.16      | Columns in which every circle is flat            | circles +quadratic kernel=linear; circles kernel=quadratic
Ex 18.25      | N points, N − 1 dimensions, any labels
18.10         | Many hypotheses that vote                        | restaurant
Fig 18.32     | A triangle from three lines                      | circles lines=learnt
Fig 18.33     | Examples that grow with their mistakes           | restaurant rounds=5
Fig 18.34     | AdaBoost as pseudo-code                          | restaurant
Fig 18.35     | Stumps alone and boosted                         | restaurant:100 rounds=5 @-1; ten_coordinates rounds=300 learner=stump @-1
Ex 18.18      | A majority of independent voters                 | restaurant correlation=0; restaurant correlation=0.5
18.10.1       | Experts, one answer a day                        | pundits; pundits_turn; pundits_adversary
18.11         | Practice
18.11.1       | Digits written by hand                           | digits k=3; digits hidden=30
Fig 18.36     | Easy digits and hard ones                        | digits k=3
18.11.2       | Word senses and house prices
Fig 18.37     | Five learners and a million words
"""

MIT = """
2.1           | What learning is
2.1.1-2.1.14  | Kinds of learning
2.1.15-2.1.17 | Memory: the same row again                       | neighbour_memory metric=hamming
2.1.18-2.1.20 | Averaging: the same row, other answers           | neighbour_repeats metric=hamming k=7
2.1.21-2.1.22 | A sensor that is not exact (MIT 2.1.36)          | neighbour_noise metric=hamming; neighbour_noise
2.1.23-2.1.24 | A day not seen before (MIT 2.1.36)               | neighbour_drives metric=hamming; neighbour_drives
2.1.25-2.1.31 | Lines, curves, and what is too complex           | gaussians:60 learner=svm parameter=degree
2.1.32-2.1.35 | The answer of the nearest                        | one_or_five k=1
2.1.36-2.1.39 | A tree for the neighbour                         | neighbour_drives @-1
2.1.40-2.1.41 | A network as a cartoon                           | xor
2.2           | Hypotheses, and what they cost
2.2.1-2.2.10  | Errors plus a price for size                     | mit_conjunction alpha=0.5
2.2.11-2.2.17 | Conjunctions
2.2.18-2.2.22 | A greedy conjunction                             | mit_conjunction; mit_trap_conjunction; mit_trap_dnf
2.2.23-2.2.27 | The conjunction, step by step                    | mit_conjunction @-1
2.2.28-2.2.30 | Where no conjunction will do                     | mit_harder @-1
2.2.31-2.2.40 | Several conjunctions                             | mit_harder
2.2.41-2.2.43 | The rules, step by step                          | mit_harder @-1
2.3           | How well it will do
2.3.1-2.3.6   | Data kept aside, and folds
2.3.7-2.3.14  | Learning curves of a simple and a hard target
2.3.15-2.3.20 | Rules that forgive noise                         | mit_harder epsilon=0.34
2.3.21-2.3.25 | Overfitting, and where it ends                   | boolean_rule epsilon=0; boolean_rule epsilon=0.2; boolean_rule:400 learner=greedy_dnf
2.3.26-2.3.33 | A line and a snake through noise                 | gaussians:60 learner=svm parameter=degree; boolean_rule:400 learner=greedy_dnf until=all_are_tried
2.3.34-2.3.39 | Columns out of raw data
2.3.40-2.3.43 | The votes of 1984 under three prices
2.4           | Decision trees
2.4.1-2.4.4   | A tree as an expression                          | mit_xor @-1
2.4.5-2.4.8   | Small as a tree, or small as rules               | mit_tree @-1
2.4.9-2.4.12  | Building a tree                                  | mit_tree
2.4.13-2.4.20 | Entropy, weighted by the rows                    | mit_tree @1
2.4.21-2.4.27 | When to stop                                     | mit_tree stop=size size=3; mit_tree stop=entropy
2.4.28-2.4.35 | The tree, step by step                           | mit_tree @1; mit_tree @3; mit_tree @-1
2.4.36-2.4.41 | What one step ahead cannot see                   | mit_xor @-1; mit_xor stop=no-gain @-1; mit_trap_tree @-1
2.4.42-2.4.44 | Grow first, prune then                           | boolean_rule stop=size size=20
2.5           | Naive Bayes
2.5.1-2.5.9   | Counting, and a product for each class           | mit_bayes query=0,0,1,1 @-1
2.5.10-2.5.16 | The rule as a whole, and in logarithms           | mit_bayes logs=yes
2.5.17-2.5.19 | One more of each: Laplace                        | mit_bayes laplace=yes query=0,0,1,1 @-1
2.5.20-2.5.22 | Votes of features                                | mit_bayes laplace=yes; mit_harder
2.5.23-2.5.25 | What votes cannot see                            | mit_xor @-1
2.5.26-2.5.29 | The votes of 1984, weighed
2.5.30-2.5.39 | Why the product: Bayes’ rule                     | mit_bayes prior=yes
"""

MMDS = """
12            | Learning from very large data
12.1          | Examples, methods, tests
12.1.1        | Training sets (AIMA 18.3)                        | dogs; spam
12.1.2        | Three small examples
Ex 12.1       | Dogs by height and weight (AIMA 18.3)            | dogs
Fig 12.1      | Beagles, Chihuahuas, Dachshunds (AIMA 18.3)      | dogs
Ex 12.2       | A line through four points                       | four_points_line @-1
Fig 12.2      | The four points and their line (MMDS Ex 12.2)    | four_points_line @-1
Ex 12.3       | E-mails as rows of 0 and 1 (MMDS 12.2.1)         | spam
12.1.3        | Kinds of methods (AIMA 18.3)                     | dogs; spam
12.1.4        | Training, testing, asking for labels             | leaning_clouds learner=perceptron; moons learner=svm
Fig 12.3      | From data to an error rate
12.1.5        | Exercises
Exercise 12.1.1 | A line through the origin, and a parabola      | four_points_line through_origin=yes @-1; four_points_line degree=2 @-1
12.2          | Perceptrons (MMDS 12.2.1)                        | leaning_clouds
Fig 12.4      | The half-planes of w (MMDS 12.2.1)               | widest_street threshold=learned @-1
12.2.1        | A perceptron whose line goes through the origin  | spam
Fig 12.5      | A mistake turns the line                         | leaning_clouds
Ex 12.4       | Six e-mails by hand                              | spam rate=0.5 @-1
Fig 12.6      | The six e-mails
12.2.2        | When to stop                                     | four_points_cycle; mixed_border stop=rounds rounds=20; spam schedule=1/(1+ct)
12.2.3        | Winnow: weights that are multiplied              | spam
Ex 12.5       | Winnow on the six e-mails                        | spam @-1
Fig 12.7      | Twelve rows of Winnow                            | spam @-1
12.2.4        | A threshold that is learnt too                   | spam threshold=learned
Fig 12.8      | The e-mails with a column for the threshold      | spam threshold=learned
Ex 12.6       | Winnow with its own threshold                    | spam threshold=learned @-1
Fig 12.9      | The weights with θ beside them                   | spam threshold=learned @-1
12.2.5        | More than two classes                            | three_fields
12.2.6        | Other columns, straight borders                  | day_trips +polar threshold=learned
Ex 12.7       | Day trips by distance                            | day_trips +polar threshold=learned @-1
Fig 12.10     | Near and far                                     | day_trips threshold=learned; day_trips +polar threshold=learned @-1
12.2.7        | What perceptrons cannot promise                  | mixed_border threshold=learned
Fig 12.11     | No line at all                                   | mixed_border threshold=learned
Fig 12.12     | Many lines that all separate                     | many_lines threshold=learned @-1
Fig 12.13     | Lines that only just admit a point               | just_admitting threshold=learned @-1
12.2.8        | Perceptrons in parallel                          | leaning_clouds chunks=3; spam chunks=3
12.2.9        | Rows that arrive once                            | leaning_clouds drift=turning
12.2.10       | Exercises
Exercise 12.2.1 | “Nigeria” in e-mail b                          | spam_nigeria; spam_nigeria threshold=learned
Exercise 12.2.2 | Four points that need a threshold              | four_points_free threshold=learned
Exercise 12.2.3 | Four points that no line parts                 | four_points_cycle; four_points_cycle threshold=learned; four_points_cycle +quadratic threshold=learned
12.3          | Support vector machines
12.3.1        | The widest margin                                | widest_street C=inf
Fig 12.14     | Three points that hold the line                  | widest_street C=inf @-1
12.3.2        | A margin of one                                  | four_points_alternating C=inf
Fig 12.15     | Two parallels at distance 2/|w|                  | widest_street C=inf @-1
Ex 12.8       | Four points, four support vectors                | four_points_alternating C=inf @-1
12.3.3        | A price for points on the wrong side             | bad_points
Fig 12.16     | Bad points, and how bad they are                 | bad_points @-1
Fig 12.17     | The hinge                                        | bad_points
12.3.4        | Descent on the hinge                             | six_points C=0.1 rate=0.2 start=0,1,-2
Fig 12.18     | Six points, and the line it starts with          | six_points C=0.1 rate=0.2 start=0,1,-2
Ex 12.9       | The first steps of descent                       | six_points C=0.1 rate=0.2 start=0,1,-2 @3
Fig 12.19     | What each point adds                             | six_points C=0.1 rate=0.2 start=0,1,-2 @1
Fig 12.20     | Six lines of descent                             | six_points C=0.1 rate=0.2 start=0,1,-2 steps=6 @17
12.3.5        | One example at a time                            | six_points mode=stochastic C=0.1
Ex 12.10      | A matrix as a product of two
12.3.6        | Margins in parallel                              | bad_points mode=sum-of-parts; bad_points mode=average-of-changes
12.3.7        | Exercises
Exercise 12.3.1 | Three more lines of descent                    | six_points C=0.1 rate=0.2 start=0,1,-2 steps=9 @-1
Exercise 12.3.2 | Six points in space                            | six_points_space C=inf @-1; six_points_space
Exercise 12.3.3 | Six points, odd sums                           | six_points_odd
12.4          | Nearest neighbours
12.4.1        | Four decisions                                   | dogs k=3
12.4.2        | One neighbour                                    | dogs
Ex 12.11      | The cells of seven dogs                          | dogs
Fig 12.21     | Edges between classes, and within one            | dogs @-1
12.4.3        | Curves on a line                                 | peak
Ex 12.12      | Four rules through the peak                      | peak k=1; peak k=2; peak k=2 weights=1/d; peak k=3
Fig 12.22     | Steps, and means of two                          | peak k=1; peak k=2
Fig 12.23     | Straight pieces, and means of three              | peak outside=extrapolate; peak k=2 weights=1/d; peak k=3
12.4.4        | All points, weighted by a kernel                 | peak kernel=gaussian
Ex 12.13      | The value at 3.5                                 | peak kernel=1/d²
Fig 12.24     | Seven weights at 3.5                             | peak kernel=1/d²
12.4.5        | Many dimensions                                  | blobs bits=3
12.4.6        | Other distances                                  | dogs p=1; blobs tables=3
12.4.7        | Exercises
Exercise 12.4.1 | Two neighbours that must agree                 | dogs k=2 disagree=leave_unclassified
Exercise 12.4.2 | One neighbour of four                          | four_points_crossed k=1
Exercise 12.4.3 | Rules on doubled distances                     | doubling k=1; doubling k=2; doubling k=2 weights=1/d; doubling k=3
Exercise 12.4.4 | Inverse squares between 2 and 4                | doubling kernel=1/d²
Exercise 12.4.5 | Means of four                                  | peak k=4
Exercise 12.4.6 | Is a weighted pair continuous?                 | doubling k=2 weights=1/d
12.5          | Methods side by side (AIMA 18.3, AIMA 18.8.1)    | dogs
12.6          | Summary
"""

ML = """
6             | Bayesian learning
6.11.5        | Tables of a network by gradient
6.11.6        | Arcs of a network
6.12          | Expectation and maximisation
6.12.1        | Means of two bells                               | two_bells
Fig 6.4       | Two bells of one width                           | two_bells
6.12.2        | The two steps in general                         | two_bells
6.12.3        | Why the means come out as means                  | two_bells @-1
6.13          | What the chapter was about                       | mit_bayes
Ex 6.1        | Two tests for one disease
Ex 6.2        | Products that are shared out
Ex 6.3        | The most general hypothesis
Ex 6.4        | Examples that are drawn too
Ex 6.5        | Short descriptions of a conjunction
Ex 6.6        | The network of naive Bayes
7             | What can be learnt at all
7.1           | Questions to ask
7.2           | Probably approximately correct
7.2.1         | The setting
7.2.2         | Two kinds of error
Fig 7.1       | Where hypothesis and concept disagree
7.2.3         | What counts as learnable
7.3           | Finite spaces of hypotheses                      | margin_set answer=unanimous
Fig 7.2       | Hypotheses that agree with all examples
7.3.1         | When no hypothesis is right
7.3.2         | Conjunctions of literals                         | mit_conjunction
7.3.3         | Other classes
7.3.3.1       | A learner without bias                           | mit_conjunction hypotheses=unbiased
7.3.3.2       | k terms, k clauses                               | mit_harder k=2
7.4           | Infinite spaces
7.4.1         | All labels of a few points
Fig 7.3       | Three points, eight subsets
7.4.2         | The largest set that can be labelled anyhow
Fig 7.4       | Three points in a corner, three in a row
7.4.3         | Bounds from it
7.4.4         | Networks of units
7.5           | Counting mistakes
7.5.1         | The most specific hypothesis                     | mit_conjunction
7.5.2         | Half of them fall                                | seven_hypotheses hypotheses=columns; mit_conjunction
7.5.3         | The best that is possible
7.5.4         | Votes of experts, weighted                       | expert_pool
Table 7.1     | The weighted vote as pseudo-code                 | expert_pool
7.6           | Summary
Ex 7.1        | Examples for a perceptron
Ex 7.2        | Rectangles with whole corners                    | whole_rectangle
Ex 7.3        | Errors by a factor
Ex 7.4        | Intervals                                        | two_bells
Ex 7.5        | Rectangles, discs, triangles
Ex 7.6        | Random rectangles                                | margin_set
Ex 7.7        | Trees of depth two
Ex 7.8        | 100 rows learnt, 100 tried
8             | Learning by remembering
8.1           | Work done when asked
8.2           | The k nearest                                    | one_or_five k=1; one_or_five k=5
Fig 8.1       | One neighbour says +, five say −                 | one_or_five k=1 query=0,0 @-1; one_or_five k=5 query=0,0 @-1; one_or_five
Table 8.1     | The k nearest as pseudo-code                     | one_or_five k=5
8.2.1         | Near ones count more                             | one_or_five k=5 weights=1/d²; peak k=7 weights=1/d²; peak kernel=1/d²
8.2.2         | Columns that mislead, and a tree of places       | irrelevant; blobs
8.2.3         | Words
8.3           | A small model for every question                 | regression_points
8.3.1         | Straight lines, weighted                         | regression_points
Ex 8.1        | The rule from its criterion                      | regression_points
8.4           | Sums of bells                                    | regression_points widths=by_rule
"""

LS = """
Learning agents                   | Parts of an agent that learns
Inductive learning method         | Curves of growing freedom (AIMA 18.2)         | polynomial_seven degree=6 @-1
Attribute-based representations   | The restaurant’s table (AIMA 18.3)            | restaurant
Decision trees                    | Every table has a tree (AIMA 18.3)            | xor @-1
Hypothesis spaces                 | How many functions there are
Decision tree learning            | Growing a tree (AIMA 18.3)                    | restaurant
Information                       | Bits that remain (AIMA 18.3.4)                | restaurant @1
Performance measurement           | Curves over the size of the training set
Validation                        | Folds
Broadening decision tree approach | Many values, numbers (AIMA 18.3.6)            | restaurant subset_tests=yes; iris
Linear regression                 | A line by descent (AIMA 18.6.1)               | houses; four_points_line mode=batch rate=0.02
Multivariate linear regression    | Several inputs (AIMA 18.6.2)                  | correlated
Linear classifiers                | A threshold, then a soft one (AIMA 18.6.3, AIMA 18.6.4) | seismic rule=aima threshold=learned; seismic mode=stochastic
Neural networks                   | Units in layers (AIMA 18.7.2, AIMA 18.7.4)    | two_bit_adder; xor
Nearest neighbor models           | Neighbours that vote (AIMA 18.8.1)            | seismic:72 k=5
Ensemble learning                 | Votes of stumps (AIMA 18.10)                  | restaurant
"""

TEXTS: dict[str, tuple[str, str]] = {
    "AIMA": ("Russell & Norvig, Artificial Intelligence, 3rd edition, chapter 18", AIMA),
    "MIT": ("MIT 6.034, Artificial Intelligence, 2003, lectures 2.1 to 2.5", MIT),
    "MMDS": ("Leskovec, Rajaraman & Ullman, Mining of Massive Datasets, chapter 12", MMDS),
    "ML": ("Mitchell, Machine Learning, 6.11 to 8.4", ML),
    "LS": ("Lecture slides “Learning from examples”", LS),
}
