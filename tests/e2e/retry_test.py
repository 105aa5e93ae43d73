#!/usr/bin/env python3
# Goal: a request that is sent again draws, deals and opens nothing twice, and its reply is the same
#   bytes for ever.
# Method: keys used again one after another, at the same time, with other requests, after a refusal
#   and after a restart; lost replies fetched by key.
#   usage: retry_test.py FOLDER_OF_PROGRAMS
import json
import threading

from calls import draw_body
from facts import (SHOE, WHEEL, mix_shoe, events, main, new_batch, new_key, open_table,
                   refused)


def the_same_request_with_the_same_key_gets_the_same_bytes_and_makes_no_record(appliance):
    client = appliance.client()
    key, body = new_key(), json.dumps(WHEEL).encode()
    first = client.send("POST", "/v1/tables", key=key, raw=body)
    assert first[0] == 201, first
    size = client.get("/v1/status")["size"]
    for _ in range(3):
        assert client.send("POST", "/v1/tables", key=key, raw=body) == first
    assert appliance.client().send("POST", "/v1/tables", key=key, raw=body) == first, (
        "another connection of the same client")
    assert client.get("/v1/status")["size"] == size
    table = json.loads(first[1])["table"]["id"]
    batch = new_batch(client, table)
    asked = json.dumps(draw_body(client, table, batch)).encode()
    drawn = client.send("POST", "/v1/draws", key=key, raw=asked)  # the key is bound to the path
    assert drawn[0] == 200 and client.send("POST", "/v1/draws", key=key, raw=asked) == drawn
    assert client.get("/v1/requests/" + key +
                      "?path=/v1/draws")["draw"] == json.loads(drawn[1])["draw"]


def the_same_key_with_another_request_is_refused(appliance):
    client = appliance.client()
    key = new_key()
    client.post("/v1/tables", WHEEL, key)
    refused(client, "POST", "/v1/tables", 422, "key_reused", SHOE, key=key)
    refused(client, "POST", "/v1/tables", 422, "key_reused", key=key,
            raw=json.dumps(WHEEL).encode() + b" ")


def a_refusal_leaves_the_key_free(appliance):
    client = appliance.client()
    key = new_key()
    refused(client, "POST", "/v1/tables", 400, "malformed_request", {"settled_by": "nobody"},
            key=key)
    assert client.post("/v1/tables", WHEEL, key)["table"]["state"] == "open"


def keys_of_two_clients_are_two_keys(appliance):
    key = new_key()
    one = appliance.client().post("/v1/tables", WHEEL, key)
    two = appliance.client("talla:table-2").post("/v1/tables", WHEEL, key)
    assert one["table"]["id"] != two["table"]["id"]
    refused(appliance.client("talla:auditor-1"), "GET", f"/v1/requests/{key}", 404, "not_found")


def requests_at_the_same_time_with_one_key_are_one_request(appliance):
    client = appliance.client()
    table = open_table(client, WHEEL)
    batch = new_batch(client, table)
    key, body, replies = new_key(), json.dumps(draw_body(client, table, batch)).encode(), []

    def ask():
        replies.append(appliance.client().send("POST", "/v1/draws", key=key, raw=body))
    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(replies) == 8 and set(replies) == {replies[0]} and replies[0][0] == 200, replies
    drawn = [event for event in events(client) if event["kind"] == "DRAW" and
             event["object"] == batch["id"]]
    assert len(drawn) == 1, drawn


def a_lost_reply_is_found_by_its_key(appliance):
    client = appliance.client()
    key = new_key()
    status, text = client.send("POST", "/v1/tables", SHOE, key=key)
    again = client.send("GET", f"/v1/requests/{key}?path=/v1/tables")
    assert again == (status, text), again
    refused(client, "GET", f"/v1/requests/{key}?path=/v1/draws", 404, "not_found")
    refused(client, "GET", "/v1/requests/" + new_key(), 404, "not_found")


def after_a_clean_stop_and_after_kill_9_the_bytes_are_the_same(appliance):
    client = appliance.client()
    table = open_table(client, SHOE)
    shoe = mix_shoe(client, table)
    path, key = f"/v1/shoes/{shoe['id']}/deal", new_key()
    body = json.dumps({"expected": 0, "until": 5, "place": "table", "face": "open"}).encode()
    first = client.send("POST", path, key=key, raw=body)
    assert first[0] == 200, first
    client.close()
    assert appliance.stop() == 0
    appliance.start()
    assert client.send("POST", path, key=key, raw=body) == first
    client.close()
    appliance.kill()
    appliance.start()
    assert client.send("POST", path, key=key, raw=body) == first
    refused(client, "POST", path, 422, "key_reused", key=key, raw=body.replace(b"5", b"6"))
    assert client.get(f"/v1/shoes/{shoe['id']}")["shoe"]["position"] == 5


def second_table_client(appliance):
    """Enrolled before the daemon starts (facts.main does it)."""
    appliance.talla("keys", "client", appliance.folder, "talla:table-2", "--role", "table",
                    check=True)


if __name__ == "__main__":
    main([the_same_request_with_the_same_key_gets_the_same_bytes_and_makes_no_record,
          the_same_key_with_another_request_is_refused, a_refusal_leaves_the_key_free,
          keys_of_two_clients_are_two_keys, requests_at_the_same_time_with_one_key_are_one_request,
          a_lost_reply_is_found_by_its_key,
          after_a_clean_stop_and_after_kill_9_the_bytes_are_the_same], before=second_table_client)
