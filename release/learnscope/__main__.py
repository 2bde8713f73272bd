"""`python -m learnscope` is the program `learnscope`."""

import sys

from learnscope.main import main

sys.exit(main())
