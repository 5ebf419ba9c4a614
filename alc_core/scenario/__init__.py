"""What is attacked and whom: scenarios, targets, the check before a run."""
