"""Studies: what is measured of releases as a whole, beside the attacks of a campaign."""
