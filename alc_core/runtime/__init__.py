"""What runs underneath: compiled kernels, threads, progress and cancelling."""
