"""Compiled kernels, threads, progress and cancelling."""
