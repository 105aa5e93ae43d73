/// \file
/// Parts of `talla keys` that have files of their own; each adds its commands to `keys`. `app`
/// outlives parsing.
#pragma once

#include "app.hpp"

namespace talla::cli {

void add_ceremony(commandline::Command& keys, App& app);
/// enrol, renew, remove: clients.toml of an appliance.
void add_people(commandline::Command& keys, App& app);
/// passphrase, tpm, token: sealing and signing keys that are no plain files.
void add_key_places(commandline::Command& keys, App& app);

}  // namespace talla::cli
