// What of a rig outlives a crash: its folder, the keys that all rigs of a program share, its log.
#include <fstream>
#include <map>
#include <sstream>

#include "certs/files.hpp"
#include "certs/key_sources.hpp"
#include "certs/keys.hpp"
#include "certs/signer.hpp"
#include "certs/sqlite_ledger.hpp"
#include "format/call.hpp"
#include "must.hpp"
#include "rig.hpp"
#include "verify/call_key.hpp"

namespace talla::core::test {
namespace {

/// One key set for all tests of the program: making it is the slow part. Removed with the program.
class KeyFolder {
 public:
  KeyFolder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "talla-rig-keys-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    folder_ = pattern;
    must(certs::init_development_keys({path(), rig_origin, {}, ManualClock().utc_us()}));
  }
  KeyFolder(const KeyFolder&) = delete;
  KeyFolder& operator=(const KeyFolder&) = delete;
  ~KeyFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  [[nodiscard]] std::string path() const { return folder_ + "/keys"; }

 private:
  std::string folder_;
};

std::string key_folder() {
  static const KeyFolder folder;
  return folder.path();
}

/// A pair of files among the development keys.
struct TableKey {
  std::shared_ptr<const certs::CallKey> key;
  std::string certificate;  // DER
};

const TableKey& table_key(const std::string& id) {
  // Never destroyed: Botan's own statics, which a key refers to, end before it.
  static auto& known = *new std::map<std::string, TableKey>;  // NOLINT
  if (const auto found = known.find(id); found != known.end()) return found->second;
  const auto base = key_folder() + "/clients/" + id;
  must(certs::add_development_client({key_folder(), id, {"table"}, ManualClock().utc_us()}));
  auto key = must(certs::CallKey::load(must(certs::read_file(base + ".key"))));
  const auto pem = must(certs::read_file(base + ".pem"));
  const auto begin = pem.find("-----\n") + 6;
  std::string text = pem.substr(begin, pem.find("-----END") - begin);
  std::erase(text, '\n');
  const auto der = must(from_base64(text));
  return known
      .emplace(id, TableKey{std::make_shared<const certs::CallKey>(std::move(key)),
                            {der.begin(), der.end()}})
      .first->second;
}

}  // namespace

Client table_client(const std::string& id) {
  const auto& own = table_key(id);
  const certs::OpensslHashes hashes;
  const Bytes& spki = own.key->spki();
  Client client{id, to_hex(hashes.sha256({spki})), {Role::table}};
  client.public_key.assign(spki.begin(), spki.end());
  client.chain = std::make_shared<const std::vector<std::string>>(1, own.certificate);
  return client;
}

Client person_client(const std::string& id, Role role) {
  auto client = table_client(id);
  client.roles = {role};
  return client;
}

std::shared_ptr<const certs::CallKey> table_call_key(const std::string& id) {
  return table_key(id).key;
}

std::string table_key_pem(const std::string& id) {
  static_cast<void>(table_key(id));
  return must(certs::read_file(key_folder() + "/clients/" + id + ".key"));
}

std::string sign_core(const Client& client, const std::string& core) {
  return to_base64(table_key(client.id).key->sign(certs::call_statement(core)));
}

RigDisk::RigDisk(std::string vfs, std::unique_ptr<certs::Anchor> anchor)
    : vfs_(std::move(vfs)), anchor_(std::move(anchor)) {
  std::string pattern = (std::filesystem::temp_directory_path() / "talla-rig-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) std::abort();
  folder_ = pattern;
  sealer_ = must(certs::Sealer::load(keys() + "/sealing.key"));
  if (!anchor_) anchor_ = std::make_unique<certs::FileAnchor>(folder_ + "/anchor.json");
}

RigDisk::~RigDisk() {
  close_log();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string RigDisk::keys() {
  return key_folder();
}

std::string RigDisk::all_files() const {
  std::stringstream all;
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    all << std::ifstream(entry.path(), std::ios::binary).rdbuf();
  return all.str();
}

void RigDisk::lose_seals() {
  const auto path = folder_ + "/other.key";
  std::ofstream(path, std::ios::binary) << std::string(32, 'k');
  std::filesystem::permissions(
      path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  sealer_ = must(certs::Sealer::load(path));
}

Result<certs::ChosenLogKey> RigDisk::open_log_with(
    Clock& clock, const std::vector<certs::LogKeySource>& log_keys) {
  certs::SqliteLedgerOptions options;
  options.path = folder_ + "/ledger.sqlite";
  options.origin = rig_origin;
  options.vfs = vfs_;
  options.wal_pages_max =
      64;  // so that the write-ahead log is copied into the file again and again
  options.young_keys_max = 24;  // and keys into the index
  ledger_ = must(certs::open_sqlite_ledger(options));
  TALLA_TRY(auto chosen, certs::choose_log_key(*ledger_, rig_origin, log_keys));
  signer_ = chosen.signer;
  TALLA_TRY(log_, certs::Log::open({hashes_, *ledger_, *signer_, clock, anchor_.get(), outer},
                                   {.origin = rig_origin}));
  return chosen;
}

void RigDisk::close_log() {
  log_.reset();
  ledger_.reset();
}

std::vector<certs::Record> RigDisk::records(certs::Kind kind) {
  std::vector<certs::Record> all;
  for (std::uint64_t seq = 0; seq < log_->size(); ++seq) {
    auto record = must(certs::parse_record(must(ledger_->record(seq)).bytes));
    if (record.kind == kind) all.push_back(std::move(record));
  }
  return all;
}

}  // namespace talla::core::test
