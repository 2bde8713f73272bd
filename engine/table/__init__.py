"""Tables: columns of a person, and the arrays that methods learn from."""
