"""`python -m dcgen`."""

from dcgen.cli import main

main()
