"""Running a campaign in processes or on a cluster."""
