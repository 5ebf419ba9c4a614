"""Results as blocks, and what draws blocks: in a terminal, in the report; pages draw them too."""
