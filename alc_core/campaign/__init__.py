"""Campaigns: many scenarios, attacks and releases, planned, run, kept in one file, rescored."""

from alc_core.campaign.campaign import run_campaign
from alc_core.campaign.plan import CampaignPlan, plan_campaign
from alc_core.campaign.planned import CampaignSettings, KnownSet, KnownSetKind, PlannedAttack
from alc_core.campaign.store import CampaignCounts, CampaignStore
from alc_core.campaign.view import CampaignView

__all__ = [
    "CampaignCounts",
    "CampaignPlan",
    "CampaignSettings",
    "CampaignStore",
    "CampaignView",
    "KnownSet",
    "KnownSetKind",
    "PlannedAttack",
    "plan_campaign",
    "run_campaign",
]
