"""Short names that surveys give their columns, by what the columns are about."""

from __future__ import annotations

import re

_CODES = {
    # American Community Survey, Current Population Survey, IPUMS, EU-SILC, NHANES, sdcMicro.
    "age or birth": (
        "agep a_age agegr agecat agem ridageyr ridagemn birthyr birthqtr yob rb080 rx010 rx020"
    ),
    "sex": "sexe a_sex riagendr rb090 gndr msex fsex",
    "race or origin": (
        "rac1p rac2p rac3p racaian racasn racblk racwht racnh racsor hisp rachsing prdtrace "
        "pehspnon hispan raced bpl bpld ancestr1 anc anc1p anc2p pobp pobp05 cit citizen "
        "natvty nativity yoep waob qtrbir mig ridreth1 ridreth3 dmdborn4 pb210 pb220a"
    ),
    "place": (
        "st puma puma00 puma10 puma20 region division statefip statefips countyfip countyfips "
        "fips met2013 metro metarea gestfips gereg gtcbsa migsp migpuma powsp powpuma db040 "
        "db100 rb040 density urbrur nuts nuts1 nuts2 nuts3 cntry"
    ),
    "marital status or family": (
        "mar msp marst marhd marhm marht marhw marhyp a_maritl pemaritl sfn sfr relp relshipp "
        "rel rela relat relate related a_famrel hhcivil npf noc nrc npp np hupac hupaoc fes "
        "hht hht2 partner multg nchild famsize pb190 hx040 hsize dmdmartl dmdhhsiz hh5 sploc "
        "momloc"
    ),
    "education": (
        "schl schg sch edu educd a_hga peeduca school pe010 pe040 dmdeduc2 dmdeduc3 edlevel "
        "isced hisced eisced sciengp fod1p fod2p"
    ),
    "work that others see": (
        "cow classwkr classwkrd a_clswkr esr empstat empstatd labforce wkhp wkw wkwn uhrswork "
        "uhrswork1 wkswork1 wkswork2 jwtr jwtrns jwmnp jwrip jwap jwdp nwlk nwab nwav wrk mil "
        "dvet vps drat pl030 pl031 pl060 pemlr peio1cow"
    ),
    "language": "lanx lanp eng english speakeng",
    "home or car": (
        "bld hfl rms bdsp veh ten ten_own ownershp housing_type own_rent roof walls water "
        "electcon hh010 hh020"
    ),
    "health": (
        "dis dear deye dout dphy drem ddrs dratx hicov privcov pubcov hins1 hins2 hins3 hins4 "
        "hins5 hins6 hins7 fer gcl gcm gcr diffrem diffphys diffmob diffcare diffsens hcovany "
        "ph010 ph020 ph030 hlth bmxbmi bpxsy1 lbxtc huq010 hsd010"
    ),
    "income or wealth": (
        "pincp pernp wagp semp intp retp ssp ssip pap oip pincp_decile hincp fincp povpip "
        "inctot incwage incbus00 incss incwelfr incinvst incretir incsupp incother incearn "
        "poverty hhincome ftotinc valueh valp taxamt taxp rntp grntp smocp ocpip grpip fs agi "
        "fedtax statetax taxinc fica emcontrb ptotval pothval intval pearnval wsalval ernval "
        "adjinc py010g py010n py020g py050g py050n py090n py100n py110n py120n py130n py140n "
        "hy010 hy020 hy022 hy023 hy040g hy040n hy050n hy060n hy070n hy080n hy090n hy100n "
        "hy110n hy130n hy145n hx090 indfmpir indfmin2 indhhin2 hinctnta netinc grossinc "
        "expend savings"
    ),
    "debt or credit": "mrgp mrgx smp pay_0 pay_1 bill_amt1",
    "occupation": (
        "occp occp10 occp12 socp socp10 socp12 indp indp_cat naicsp occ occ1990 occ2010 ind "
        "ind1990 a_occ a_ind pl050 pl051 pl110 isco isco08 isco88 nace prmjocc1 prmjind1"
    ),
}

_TOPICS = {code: topic for topic, codes in _CODES.items() for code in codes.split()}


def topic_of_code(column: str) -> str | None:
    """Return what a column is about whose whole name is a survey's code.

    Examples
    --------
    >>> topic_of_code("PINCP"), topic_of_code("marital")
    ('income or wealth', None)
    """
    return _TOPICS.get(re.sub(r"[^a-z0-9_]", "", column.lower()))
