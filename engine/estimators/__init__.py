"""The methods that predict, as estimators of scikit-learn; the door for callers is
`learnscope.sklearn`. Only this package imports scikit-learn.
"""
