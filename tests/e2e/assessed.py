# What `talla-lab assess --document` writes about a unit, and what the appliance's configuration
# then says of it: for tests whose appliance has an emulated generator that production would credit.
import hashlib
import json


def document(folder, model="chaoskey", serial="0123", millibits=4000, **changes):
    """Writes FOLDER/assessment.json, gives its SHA-256; changes of members as `samples__count`."""
    about = {"kind": "talla-lab assessment", "format": 1, "standard": "SP 800-90B",
             "device": {"model": model, "serial": serial, "class": "raw_physical", "settings": {}},
             "samples": {"purpose": "sequential", "count": 1000000, "width_bits": 8,
                         "sha256": "0" * 64, "manifest_sha256": "1" * 64,
                         "as_the_standard_asks": True},
             "track": "non-iid", "min_entropy_millibits": millibits}
    for path, value in changes.items():
        *parents, last = path.split("__")
        place = about
        for parent in parents:
            place = place[parent]
        place[last] = value
    text = json.dumps(about, sort_keys=True, separators=(",", ":")) + "\n"
    with open(f"{folder}/assessment.json", "w", encoding="ascii") as file:
        file.write(text)
    return hashlib.sha256(text.encode()).hexdigest()


def assessed(folder, model="chaoskey", serial="0123", millibits=4000):
    """The lines of [source] for such a unit."""
    digest = document(folder, model, serial, millibits)
    return (f'kind = "usb"\nmodel = "{model}"\nserial = "{serial}"\n'
            f'assessed_millibits = {millibits}\nassessment = "{digest}"\n'
            f'assessment_file = "{folder}/assessment.json"')
