"""A table that plays any game of any catalogue over the API: random legal play, driven by
nothing but the listing and `needs`.

Standard library only. A bet or choice that the rules refuse is dropped and another one tried; a
game that cannot go on fails the test."""
import json
import random

from calls import draw_body, mix_body
from appliance import record_of
from facts import new_batch

STEPS_MAX = 3000


def parameters_of(game, currency):
    """Values for the parameters that the text leaves to the casino without a default."""
    chosen = {}
    for one in game["parameters"]:
        foreign = one["type"] == "amount" and one.get("currency", currency) != currency
        if "default" in one and not foreign:
            continue
        chosen[one["id"]] = (one["allowed"][0] if one.get("allowed") else True
                             if one["type"] == "bool" else one["min"] if "min" in one else 100)
        if one["type"] == "integer":
            chosen[one["id"]] = int(chosen[one["id"]])
    return chosen


def positions(bet, rng):
    form, covers = bet["on"], bet["covers"]
    if form == "none":
        return []
    if form == "set":
        return [str(code) for code in rng.choice(covers)]
    if form == "numbers":
        return [str(number)
                for number in rng.sample(range(1, covers["highest"] + 1), covers["count"])]
    return [str(index)
            for index in rng.sample(range(1, len(covers) + 1), 2 if form == "pair" else 1)]


class Player:
    def __init__(self, client, catalogue, game_id, seed, minimum=100, seat_client=None,
                 looked=None):
        """`seat_client`: (client, base64 SPKI) of an enrolled seat; `looked(player, shoe, card)`
        is told of each covered card."""
        self.seat_client, self.looked, self.own_seat = seat_client, looked, None
        self.client, self.rng, self.minimum = client, random.Random(seed), minimum
        self.catalogue, self.game_id, self.bets_made, self.seats = catalogue, game_id, 0, 5
        self.game = client.get(f"/v1/catalogues/{catalogue['id']}/{game_id}")
        self.seats = min(self.game.get("seats_max", 5), 5)
        table = {"currency": catalogue["currency"], "unit": 1, "min": minimum,
                 "params": parameters_of(self.game, catalogue["currency"])}
        self.table = client.post("/v1/tables",
                                 {"catalogue": catalogue["id"], "game": game_id,
                                  "table": table})["table"]["id"]
        self.told, self.kinds = [], set()
        # Who plays with chips of their own may leave between hands: seldom, or there is nobody left
        # to play with.
        self.zeal = 0.02 if any(bet["id"] == "resto" for bet in self.game["bets"]) else 0.3

    def tell(self, text):
        self.told.append(text)

    def view(self):
        return self.client.get(f"/v1/tables/{self.table}")["table"]

    def post(self, path, body=None):
        reply = self.client.post(path, body)
        self.kinds |= {json.loads(one["record"])["kind"] for one in reply.get("receipts", [])}
        self.settled = self.settled or next((json.loads(one["record"])
                                             for one in reply.get("receipts", [])
                                             if json.loads(one["record"])["kind"] == "SETTLEMENT"),
                                            None)
        return reply

    def attempt(self, path, body):
        """The reply, or None when the rules refuse it."""
        from appliance import new_key
        status, text = self.client.send("POST", path, body, new_key())
        assert status < 500, f"POST {path} {body}: {status} {text.decode()}"
        return json.loads(text) if status < 300 else None

    def play(self, last=False):
        """One round to its settlement; the SETTLEMENT record."""
        self.settled, self.round, self.closed, self.offered = None, None, False, 0
        for _ in range(STEPS_MAX):
            view = self.view()
            needs = {}
            for need in view["needs"]:
                needs.setdefault(need["need"], need)
            self.step(view, needs, last)
            if self.settled:
                return self.settled
        raise AssertionError(
            f"no end after {STEPS_MAX} steps; needs {self.view()['needs']}; {self.told[-12:]}")

    def step(self, view, needs, last):
        decisions = [need for need in view["needs"] if need["need"] == "decide"]
        forced = [need for need in decisions if need["required"]]
        if "shuffle" in needs:
            return self.shuffle_again(view)
        if "shoe" in needs:
            return self.new_shoe(view)
        if self.round is None:
            body = {"last": True} if last else {}
            if self.seat_client:
                self.own_seat = self.rng.randint(1, self.seats)
                body["keys"] = [{"seat": self.own_seat, "spki": self.seat_client[1]}]
            opened = self.post(f"/v1/tables/{self.table}/rounds", body)
            self.round = opened["round"]["id"]
            return None
        if "deal" in needs or "reveal" in needs:
            until = "needs" if "reveal" in needs or self.rng.random() < 0.7 else 1
            reply = self.post(f"/v1/shoes/{view['shoe']}/deal",
                              {"expected": view["position"], "until": until})
            for card in reply["cards"]:
                if card["face"] == "covered" and self.looked:
                    self.looked(self, view["shoe"], card)
            turned = [card["card"] for card in reply.get("revealed", [])]
            dealt = [card.get("card", card["face"]) for card in reply["cards"]]
            return self.tell(f"dealt {dealt} turned {turned}")
        if "draw" in needs and (self.closed or needs["draw"]["kind"] == "lots"):
            return self.draw()
        if forced:
            return self.decide(view, self.rng.choice(forced))
        if "bets" in needs and not self.closed:
            # Bets that do not close wait for somebody to sit down, or to take the bank.
            if decisions and self.rng.random() < max(self.zeal, self.offered / 10):
                return self.decide(view, self.rng.choice(decisions), must=False)
            return self.bet(needs["bets"])
        raise AssertionError(f"nothing to do: needs {view['needs']}; {self.told[-12:]}")

    def new_shoe(self, view):
        if "shoe" in view:
            self.post(f"/v1/shoes/{view['shoe']}/close")
        shoe = self.post(f"/v1/tables/{self.table}/shoes")["shoe"]
        self.post(f"/v1/shoes/{shoe['id']}/mix", mix_body(self.client, shoe["id"]))
        self.tell(f"shoe {shoe['deck']}")

    def shuffle_again(self, view):
        shoe = self.post(f"/v1/shoes/{view['shoe']}/recommit")["shoe"]
        self.post(f"/v1/shoes/{shoe['id']}/mix", mix_body(self.client, shoe["id"]))
        self.tell(f"shuffled again, {shoe['cards']} cards")

    def draw(self):
        batch = new_batch(self.client, self.table, 1)
        reply = self.post("/v1/draws", draw_body(self.client, self.table, batch, round=self.round))
        self.tell(f"drawn {reply['draw']['outcome']}")

    def decide(self, view, need, must=True):
        choices = list(need["choices"])
        self.rng.shuffle(choices)
        path = f"/v1/rounds/{self.round}/actions"
        common = {"expected_state": view["state_digest"], "seat": need["seat"]}
        for choice in choices if self.rng.random() < 0.9 or not must else []:
            body = {**common, "do": choice["do"]}
            if "bet" in choice:
                body["bet"] = choice["bet"]
            if "cards" in choice:
                cards = choice["cards"]
                body["cards"] = self.rng.sample(cards["places"],
                                                self.rng.randint(cards["min"], cards["max"]))
            if "max" in choice:
                steps = (choice["max"] - choice["min"]) // choice["step"]
                body["amount"] = choice["min"] + choice["step"] * self.rng.choice(
                    [0, 0, min(steps, 3), steps])
            reply = self.attempt(path, body)
            assert reply is not None, \
                f"a choice of needs is refused: {body} of {need}; {self.told[-12:]}"
            self.take(reply)
            return self.tell(f"seat {need['seat']} {choice['do']} {body.get('amount', '')}")
        if must:
            self.post(path, {**common, "time_out": True})
            self.tell(f"seat {need['seat']} timed out")
        return None

    def take(self, reply):
        for one in reply.get("receipts", []):
            record = json.loads(one["record"])
            self.kinds.add(record["kind"])
            if record["kind"] == "SETTLEMENT":
                self.settled = record

    def random_bet(self):
        bet = self.rng.choice(self.game["bets"])
        chips = sum(member["chips"] for member in bet.get("members", [])) or 1
        seat = self.rng.randint(1, max(self.seats, 1))
        made = {"id": f"b{self.bets_made}", "seat": seat, "kind": bet["id"],
                "stake": self.minimum * chips * self.rng.choice([1, 1, 2, 5, 20, 50])}
        on = positions(bet, self.rng)
        if on:
            made["on"] = on
        if "boxes_max" in self.game:
            made["box"] = seat if self.rng.random() < 0.7 else self.rng.randint(
                1, self.game["boxes_max"])
        self.bets_made += 1
        return made

    def owed(self):
        """The seat that must stake on a line before a first throw of craps; None: nobody must."""
        view = self.view()["view"]
        if not any(action["id"] == "pasar-dados" for action in self.game.get("actions", [])) or \
                view["point"] != 0:
            return None
        return view.get("shooter") or view.get("offered") or view.get("before", 0) + 1

    def bet(self, need):
        """Bets that the draft takes, then the close."""
        # it waits for something: players enough, as far as bets can help
        bets, waits = [], not need["can_close"]
        shooter = self.owed()
        for number in range(120 if waits else 40):
            candidate = self.random_bet()
            if shooter:
                # with others beside him the dice might be offered to them
                candidate["seat"] = shooter
            if shooter and number == 0:
                candidate.update(kind="win", stake=self.minimum)
                candidate.pop("on", None)
            if waits and candidate["seat"] in {bet["seat"] for bet in bets}:
                continue
            if self.attempt(f"/v1/rounds/{self.round}/bets",
                            {"bets": [*bets, candidate]}) is not None:
                bets.append(candidate)
            if len(bets) >= 4:
                break
        reply = self.attempt(f"/v1/rounds/{self.round}/close-bets", {"bets": bets})
        self.offered += 1
        if reply is None:
            assert self.offered < 60, f"bets do not close: {need}, {bets}; {self.told[-12:]}"
            return None
        self.closed = True
        self.take(reply)
        return self.tell(f"bets {[(bet['seat'], bet['kind'], bet['stake']) for bet in bets]}")

    def finish(self):
        """Closes the table; what its shoe or batches opened."""
        return self.client.post(f"/v1/tables/{self.table}/close")
