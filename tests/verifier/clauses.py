"""What a verdict says first, clause by clause: written by rngd/packaging/pages from
`talla --json docs verdict`."""

CLAUSES = {
    "proven_card":
        "this card lies where its sealed order and the table's call put it",
    "proven_place":
        "a card was dealt from this place of its shoe, and stays closed",
    "proven_mix":
        "the order of this shoe was sealed before the call that mixed it",
    "proven_close":
        "this shoe was dealt as it had been sealed and mixed",
    "proven_draw":
        "this outcome follows from a secret that was sealed before its call",
    "proven_void":
        "this call ended without a result, and counts as a repetition",
    "proven_unused":
        "the secrets that were left are the sealed ones",
    "proven_settled":
        "this round was settled by its rules, from bets and outcomes that were fixed before",
    "proven_cited":
        "this round was settled from bets and outcomes that were fixed before",
    "proven_recorded":
        "this was recorded in its place among all that the table did",
    "proven_logged":
        "this record is in the signed log",
    "proven_laboratory":
        "two persons ordered this of a table at which nobody plays",
    "proven_alone":
        "nobody chose it if the appliance or the table's key was honest",
    "proven_joined":
        "nobody chose it if appliance, table or one of {count} contributors was honest",
    "proven_witnessed":
        "its witnesses saw one history",
    "proven_certified":
        "a laboratory and a regulator certify software, settings, rules and source",
    "unproven_follows":
        "what follows from it: an evidence file shows that",
    "unproven_together":
        "what appliance and table could do together: nobody else gave a number",
    "unproven_people":
        "that those who gave numbers are different people",
    "unproven_rules":
        "that the rules give these results: they were not run",
    "unproven_catalogue":
        "whose rules these are: they are not known here",
    "unproven_cards":
        "which cards those are that nobody opened",
    "unproven_before":
        "what the table did before record {first}",
    "unproven_later":
        "what came after this record, such as a repetition",
    "unproven_history":
        "that there is no second history: no witness is shown",
    "unproven_unasked":
        "that software, settings and source are as stated: no root of certifiers was given",
    "unproven_uncertified":
        "that software, settings and source are as stated: no certification covers them",
    "unproven_elsewhere":
        "that software, settings and source are as stated: this file holds no certification",
    "unproven_lab":
        "that it was play: its source is a laboratory's",
    "unproven_lab_table":
        "that it was play: it is of a laboratory's table",
    "unproven_development":
        "whose log it is: its keys are for development",
}
