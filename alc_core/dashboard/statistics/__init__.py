"""Further looks at a campaign and its releases: parameters, comparison, studies."""
