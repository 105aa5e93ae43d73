"""Tables whose lie lies between rounds, batches or shoes, and honest ones beside them: what the
round before left, draws of secrets that the file does not show, rules that nobody knows, who was
left out, and what no file shows of a place."""
import copy
import json

from authority import canonical
from forge import IN_PLAY, Shoe, Table, digest, domain, points
from seats import Contributor, field, u32
from story import drawn_by, path_of, root_of, sha256
from tales import coups, fresh, played, tale

STATE_OF_ANOTHER = {"banca": ["9D", "TH"], "punto": ["2C", "3S"], "round_over": True,
                    "shoe": "in-play"}
HIDDEN = {"id": "x", "kind": "banca", "seat": 9, "stake": 5000}


class Shown:
    """A table of which the file leaves out the records before one, but for its TABLE_OPEN."""

    def __init__(self, table, first):
        self.table, self.first = table, first

    def told(self):
        bundle = json.loads(self.table.told())
        bundle["records"] = [one for one in bundle["records"]
                             if not 0 < json.loads(one["record"])["seq"] < self.first]
        return canonical(bundle)


class Wheel(Table):
    """A roulette, with batches of secrets."""

    def __init__(self, authority):
        super().__init__(authority, "spin")
        self.shoe = Shoe("shoe-0", ["AC"], self.noise, None)  # _core names one
        told = [json.loads(one["record"]) for one in self.frozen["records"]]
        self.bets = next(one for one in told if one["kind"] == "BETS_CLOSED")["body"]["bets"]
        self.result = next(one for one in told if one["kind"] == "SETTLEMENT")["body"]
        self.wanted = next(one for one in told if one["kind"] == "DRAW")["body"]["outcome"]
        self.state = {"phase": "betting"}

    def batch(self):
        name = f"batch-{len(self.records)}"
        secrets = [self.noise.randbytes(32) for _ in range(8)]
        leaves = [sha256(b"\0", domain("batch-leaf"), field(name), u32(at), one)
                  for at, one in enumerate(secrets)]
        body = {**copy.deepcopy(self.like["BATCH_COMMIT"]["body"]), "table": "table-0", "count": 8,
                "root": root_of(leaves).hex(), "expires": 2 * 10 ** 15}
        self.add("BATCH_COMMIT", "batch-", body)
        return {"name": name, "secrets": secrets, "leaves": leaves, "root": body["root"], "next": 0}

    def draw(self, batch, game, wanted):
        """The table tries its number until the outcome suits."""
        at, batch["next"] = batch["next"], batch["next"] + 1
        while True:
            core = {**self._core([], self.bets, game, []), "use": "draw", "object": batch["name"],
                    "root": batch["root"], "at": at,
                    "specification": {"kind": "wheel", "pockets": 37}}
            drawn = drawn_by(core, batch["secrets"][at].hex())
            if (drawn["outcome"] == self.wanted) == wanted:
                break
        self.counts["turns"] += 1
        signature = self.authority.sign_call(canonical(core))
        call = self.add("CALL", batch["name"], {"core": core, "signature": signature},
                        [len(self.records) - 1])["seq"]
        return self.add("DRAW", batch["name"], {
            "call": call, "index": at, "openings": [], "secret": batch["secrets"][at].hex(),
            "path": [one.hex() for one in path_of(at, batch["leaves"])], **drawn}, [call])["seq"]

    def spin(self, draws):
        """A round; `draws`: of each its batch, and whether it is the one that pays."""
        ends = [one["seq"] for one in self.records if one["kind"] == "ROUND_END"]
        self.rounds += 1
        game = self.add("ROUND_OPEN", "round-", {
            "table": "table-0", "number": self.rounds,
            "state_before": digest("state", self.state)}, {0, *ends[-1:]})["object"]
        closed = self.add("BETS_CLOSED", game, {"bets": self.bets, "withdrawn": [],
                                                "digest": digest("bets", self.bets)})["seq"]
        cites = [closed] + [self.draw(batch, game, wanted) for batch, wanted in draws]
        self.add("SETTLEMENT", game, {**self.result, "state_before": digest("state", self.state)},
                 cites)
        return game

    def over(self, game):
        self.add("ROUND_END", game, {"state_after": self.result["state_after"], "dealt": 0,
                                     **self.counts})
        return self.records[-1]["seq"]


def opened(table):
    """A round is; its bets are not closed yet."""
    table.begin()
    del table.records[-1], table.texts[-1]
    return table


# ---- What the round before left

@tale("state_jump")
def a_round_from_another_state(authority):
    table = fresh(authority, coups(2))
    table.burn()
    played(table, end=True)
    table.state = IN_PLAY
    played(table)
    return table


@tale("state_jump")
def a_round_that_leaves_what_it_did_not_settle(authority):
    table = fresh(authority, coups(2))
    table.burn()
    game = played(table)[0]
    table.end(game, IN_PLAY)
    played(table)
    return table


@tale("state_jump")
def a_shoe_nobody_mixed_between(authority):
    """Its commitment and close are no event of the rules."""
    table = fresh(authority)
    table.close("closed")
    first = round_without_shoe(table, 1, {"shoe": "none"}, ())
    table.add("ROUND_END", first["object"], {"state_after": digest("state", {"shoe": "none"}),
                                             "dealt": 0, **table.counts})
    table.commit()
    table.close("ended")
    round_without_shoe(table, 2, IN_PLAY, [table.records[-3]["seq"]])
    return table


def round_without_shoe(table, number, state, ends):
    return table.add("ROUND_OPEN", "round-", {
        "table": "table-0", "number": number, "state_before": digest("state", state)}, {0, *ends})


@tale(tries=1, printed="begins with what the round before left: a shoe changed the state between")
def another_shoe_between_rounds(authority):
    """What it makes of the state, only who has the state before knows."""
    table = fresh(authority)
    table.burn()
    played(table, end=True)
    table.close("closed")
    table.commit()
    table.mix(coups(1))
    table.burn()
    table.state = IN_PLAY
    played(table)
    return table


@tale(rules="state_first", tries=0)
def a_first_round_from_another_state(authority):
    table = fresh(authority)
    table.burn()
    table.state = STATE_OF_ANOTHER
    played(table)
    return table


def with_hidden_stake(table):
    game = table.begin()
    results, after, cites = table.coup(game)
    banca_wins = results[1]["result"] == "win"
    hidden = {"bet": "x", "kind": "banca", "seat": 9, "stake": 5000,
              "result": "win" if banca_wins else "lose",
              "rule": "07 V" if banca_wins else "07 VI.1", "returned": 9750 if banca_wins else 0}
    results.insert(0, hidden)
    table.settle(game, results, {**after, "settled": results}, cites)


@tale(rules="state_first", tries=0)
def a_stake_in_the_first_state(authority):
    table = fresh(authority)
    table.burn()
    table.state = {**IN_PLAY, "bets": [HIDDEN]}
    with_hidden_stake(table)
    return table


@tale(rules="stake_before", tries=0)
def a_stake_that_the_round_before_left(authority):
    """The first round says that it left one; only the second is claimed."""
    table = fresh(authority, coups(2))
    table.burn()
    game = table.begin()
    results, after, cites = table.coup(game)
    after = {"bets": [HIDDEN], "shoe": "in-play"}
    table.settle(game, results, after, cites)
    table.end(game, after)
    with_hidden_stake(table)
    return table


# ---- Draws of secrets that the file does not show

@tale(tries=0)
def one_draw_of_a_batch_of_its_round(authority):
    table = Wheel(authority)
    first = table.batch()
    end = table.over(table.spin([(first, True)]))
    table.state = json_state(table)
    table.spin([(table.batch(), True)])
    return Shown(table, end)


def json_state(table):
    """What a round of this wheel leaves: the state whose digest the frozen SETTLEMENT has."""
    settled = {"phase": "over", "settled": table.result["results"]}
    if digest("state", settled) != table.result["state_after"]:
        raise RuntimeError("the state of the frozen spin is another one")
    return settled


def two_draws_thrown_away(authority, shown):
    table = Wheel(authority)
    first = table.batch()
    end = table.over(table.spin([(first, True)]))
    second = table.batch()
    table.state = json_state(table)
    table.spin([(first, False), (first, False), (second, True)])
    return Shown(table, end) if shown else table


@tale("batch_missing")
def draws_of_a_batch_from_before(authority):
    return two_draws_thrown_away(authority, True)


@tale(rules="event_wrong", tries=0)
def more_draws_than_the_rules_ask_for(authority):
    return two_draws_thrown_away(authority, False)


# ---- Rules that nobody knows, who was left out, what no file shows of a place

def forged_rules(authority):
    """A commission of 95 %."""
    table = Table(authority)
    other = table.frozen["catalogue"].replace(
        'covers = "banca"\npayouts = [{ pays = "1:1", commission = "5%"',
        'covers = "banca"\npayouts = [{ pays = "1:1", commission = "95%"', 1)
    if other == table.frozen["catalogue"]:
        raise RuntimeError("the catalogue has no such commission")
    table.frozen["catalogue"] = other
    table.reopen(catalogue=sha256(other.encode()).hex())
    table.commit()
    table.mix(lambda shoe: coups(1)(shoe) and banca_first(shoe))
    table.burn()
    game = table.begin()
    results, after, cites = table.coup(game)
    results[1]["returned"] = 105
    table.settle(game, results, {**after, "settled": results}, cites)
    return table


def banca_first(shoe):
    cards = [shoe.card(shoe.first_coup() + at) for at in range(4)]
    return sum(map(points, cards[1::2])) % 10 > sum(map(points, cards[::2])) % 10


@tale(tries=0, printed="is none that is known here")
def rules_that_nobody_knows(authority):
    return forged_rules(authority)


@tale(tries=1, printed="without the numbers of these, whom a call had named: seat-1")
def a_seat_that_is_forgotten(authority):
    """It had a number in the shoe before, and no VOID names it."""
    table = Table(authority, people=[Contributor(authority, "seat-1")])
    table.commit()
    table.mix()
    table.close("closed")
    table.people = []
    table.commit()
    table.mix()
    table.deal("burn")
    return table


@tale(tries=1, printed="what became of the 3 turns before record")
def shoes_that_the_file_does_not_show(authority):
    table = Table(authority, "shoe")
    for _ in range(3):
        table.commit()
        table.mix()
        table.close("closed")
    table.commit()
    table.mix()
    table.deal("p")
    return Shown(table, next(one["seq"] for one in table.records[::-1]
                             if one["kind"] == "SHOE_CLOSE"))


@tale(tries=1, printed="since its first opening: 1 turns, 0 voids and 0 early closes")
def totals_that_are_stated(authority):
    table = fresh(authority, coups(1))
    table.burn()
    game = table.begin()
    table.end(game, {"shoe": "in-play"})
    return opened(table)


@tale(tries=0, printed="that nothing came before there, and that no other table was open there")
def a_place_with_two_tables(authority):
    """Nothing in this file says that there is another one."""
    table = fresh(authority)
    table.burn()
    return table
