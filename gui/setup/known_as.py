"""Other names of methods, data sets, commands and changes of columns, as people type them in a
search.

Names of one thing are separated by commas. Methods and data sets stand by their titles; one that is
missing is found by its title and description. Spellings that differ by one letter need no entry:
the search finds them.
"""

METHODS = {
    "Hand-made tree": "hand-written tree, decision tree by hand, classify with a tree",
    "Active learning": "uncertainty sampling, query by committee",
    "AdaBoost": "boosting, weak learner, decision stumps, ensemble",
    "Back-propagation": (
        "backprop, neural network, neural net, mlp, multilayer perceptron, deep learning, ann,"
        " hidden layer"
    ),
    "Bagging": "bagged trees, bootstrap aggregating, ensemble, out of bag, oob",
    "Bayesian network, EM": "bayes net, expectation maximisation, missing values, hidden variable",
    "Bayes’ rule": "bayes theorem, base rate, medical test, sensitivity, false positive, posterior",
    "Bayesian network, gradient ascent": "bayes net, belief network, hidden variables",
    "Bootstrap spread": "variance, bias, bias-variance, confidence interval",
    "Candidate elimination": "version space",
    "Connect the dots": "interpolation, piecewise linear",
    "Cost matrix": "confusion matrix, misclassification cost, unbalanced, imbalanced, threshold",
    "Cross-validation": (
        "k-fold, kfold, n-fold, 5-fold, 10-fold, leave-one-out, loocv, cv, accuracy, test error,"
        " validation"
    ),
    "Curse of dimensionality": "high dimensions",
    "Decision list": "rule list, separate and conquer, rule learning",
    "Decision tree": (
        "decision trees, gini, information gain, id3, c4.5, cart, pruning, classification tree"
    ),
    "Distances and their balls": "euclidean, manhattan, minkowski, metric, norm",
    "EM for means": "expectation maximisation, expectation maximization, soft clustering",
    "Ensemble error": "condorcet, wisdom of crowds",
    "Entropy": "information gain, gini, impurity, mutual information, bits",
    "Gaussian mixture": (
        "gmm, expectation maximisation, expectation maximization, soft clustering, density"
        " estimation"
    ),
    "Gradient boosting": "gbm, xgboost, boosted trees, ensemble",
    "Gradient descent": (
        "sgd, stochastic gradient descent, lms, adaline, delta rule, learning rate, least mean"
        " squares"
    ),
    "Soft margin by gradient descent": "linear svm, hinge loss, pegasos, subgradient",
    "Holdout": (
        "accuracy, test error, train test split, test set, validation set, generalisation,"
        " generalization"
    ),
    "K2 structure search": "bayes net, structure learning",
    "k-d tree search": "nearest neighbour search, spatial index",
    "k-d tree": "spatial index",
    "Kernel perceptron": "kernel trick, dual perceptron",
    "Kernel regression": "nadaraya-watson, kernel smoother, smoothing, nonparametric regression",
    "k-means": "k-means, clustering, lloyd, unsupervised, centroids, elbow",
    "Learner comparison": "compare methods, compare algorithms, benchmark",
    "Learning curve": "learning curves, sample size, more data, training size",
    "Linear regression": (
        "ols, least squares, ordinary least squares, normal equation, regression line, r squared"
    ),
    "Locally weighted regression": "loess, lowess, local regression, smoothing",
    "Logistic regression": (
        "logit, log loss, cross-entropy, sigmoid function, maximum likelihood, classifier"
    ),
    "Locality-sensitive hashing": "approximate nearest neighbours, hash tables",
    "Model selection": (
        "hyperparameter, hyperparameters, tuning, grid search, validation curve, bias-variance"
    ),
    "Multiclass perceptron": "one versus rest, one vs all",
    "Naive Bayes": "bayes classifier, text classification, spam filter, laplace smoothing, nb",
    "Naive Bayes, numbers": "gaussian naive bayes, gaussiannb, quadratic discriminant, nb",
    "Naive Bayes, several classes": "categorical naive bayes, m-estimate, laplace, nb",
    "Naive Bayes, words of a text": (
        "multinomial naive bayes, text classification, bag of words, spam filter, nb"
    ),
    "Nearest neighbours": (
        "knn, k-nn, k nearest neighbours, nearest neighbor, nearest neighbors, k nearest neighbors,"
        " classifier, instance-based, lazy learning, memory-based"
    ),
    "Neighbour regression": "knn, k-nn, k nearest neighbours, knn regression",
    "Optimal brain damage": "obd, network pruning, sparsity",
    "Overfitting curve": (
        "overfit, underfit, underfitting, bias-variance, validation curve, complexity"
    ),
    "PAC bounds": (
        "pac learning, sample complexity, probably approximately correct, generalisation bound"
    ),
    "Peeking": "data snooping, p-hacking, data leakage, multiple testing",
    "Perceptron": "rosenblatt, linear classifier, linear separability, threshold unit",
    "Perceptron network": "single layer network",
    "Polynomial fit": "polynomial regression, overfit, degree",
    "Random forest": "forest, rf, feature importance, ensemble, out of bag, oob",
    "RBF network": "radial basis functions",
    "Regret bounds": "expert advice, online learning",
    "Regression tree": "cart, model tree",
    "Regularised regression": (
        "regularization, regularisation, l2 regularization, ridge, lasso, ridge regression, l1, l2,"
        " elastic net, shrinkage, weight decay, penalty, tikhonov"
    ),
    "Shattering": "vc dimension, capacity",
    "Streaming perceptron": "online learning, data stream",
    "Support vector machine": (
        "svm, svm classifier, support vectors, kernel trick, maximum margin, large margin, smo, svc"
    ),
    "UV-decomposition by descent": (
        "matrix factorisation, matrix factorization, recommender, collaborative filtering,"
        " netflix, svd"
    ),
    "VC bounds": "vc dimension, sample complexity, generalisation bound",
    "Voronoi diagram": "tessellation, nearest neighbour cells",
    "Weighted majority": "experts, expert advice, online learning, hedge",
}
DATA = {
    "Iris": "iris data, flowers, fisher, anderson",
    "Digits, 8 × 8": "mnist, handwriting, handwritten digits, ocr",
    "Votes 1984": "congress, house votes",
    "Moons": "two moons, half moons",
    "Circles": "two circles, rings",
}
COMMANDS = {
    "open": "load, import, csv, excel, file",
    "export": "screenshot, image, png, svg, pdf, export, figure, strip, clipboard",
    "pen": "annotate, marker, scribble",
    "spotlight": "laser pointer, torch",
    "playlist": "lecture, slides, stations",
    "make_playlist": "lecture, slides, stations",
    "script": "python, numpy, scikit-learn, sklearn, code, export, notebook",
    "export_page": "html, browser, web, player, share, print",
    "sweep": "hyperparameter, tuning, grid search",
    "breakpoints": "pause",
    "predict": "quiz, question, guess",
    "projector": "beamer, presentation, lecture",
    "seed": "random",
    "add_lane": "compare, side by side",
    "keys": "shortcuts, hotkeys, help",
    "about": "version, licence, help",
    "larger": "font size, bigger, zoom",
    "smaller": "font size, zoom",
    "slower": "speed",
    "faster": "speed",
    "next": "forward, next step",
    "previous": "back, previous step",
    "light": "white, light mode",
    "dark": "night, black, dark mode",
    "fork_lane": "what if, branch",
    "book": "in my book, textbook, chapter, figure, exercise, topic, help",
}
CHANGES = {
    "standardise": "standardize, z-score, normalise, normalize, feature scaling, scaler, mean 0",
    "unit_range": "min-max, minmax, normalise, normalize, feature scaling, scaler, rescale",
    "polar": "radius, angle",
    "quadratic": "feature expansion, polynomial features, interactions",
    "one_hot": "one-hot encoding, dummies, dummy variables, indicator, encode",
    "permute": "permuted pixels, shuffle columns, reorder, other order",
    "fill_missing": "impute, imputation, nan, gaps",
    "drop_missing": "nan, gaps, complete cases",
}
TESTING = (
    "confusion matrix, roc, roc curve, auc, accuracy, precision, recall, f1 score, test error,"
    " train test split, test set, held-out rows, evaluate"
)
