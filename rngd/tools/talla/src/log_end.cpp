// talla log reissue, talla log prove: evidence of a log that has ended, brought to its last
// checkpoint from a backup.
#include "log_end.hpp"

#include <map>
#include <memory>
#include <optional>

#include "backup.hpp"
#include "certs/archive.hpp"
#include "certs/openssl_hashes.hpp"
#include "config/ended_files.hpp"
#include "format/bundle.hpp"
#include "format/proof.hpp"
#include "trust.hpp"
#include "verify/botan_hashes.hpp"
#include "verify/verify.hpp"

namespace talla::cli {

namespace {

struct EndedLogOptions {
  std::vector<std::string> files;
  std::string backup;
  std::string ended;
  std::string root;
  std::string out;
};

/// A backup that reaches the end, and the end.
struct EndedLogSource {
  certs::EndedLog end;
  certs::CheckedBackup backup;
  certs::MerkleTree tree;
  [[nodiscard]] certs::NodeSource nodes() const {
    return [this](unsigned level, std::uint64_t index) { return tree.node(level, index); };
  }
};

Result<EndedLogSource> load_source(const App& app, const EndedLogOptions& options) {
  const certs::OpensslHashes hashes;
  EndedLogSource source;
  TALLA_TRY(source.end, load_end(options.ended, options.root));
  TALLA_TRY(source.backup, certs::check_backup(options.backup, certs::BotanEd25519(),
                                               progress_bar(app, "checking")));
  const certs::BackupManifest& manifest = source.backup.manifest;
  const certs::Checkpoint& last = source.end.last;
  if (manifest.origin != last.origin || manifest.size < last.size)
    return fail(CliErrc::file, options.backup + ": holds " + std::to_string(manifest.size) +
                                   " records of " + manifest.origin + ", the log " + last.origin +
                                   " ended with " + std::to_string(last.size));
  TALLA_TRY(const auto ledger, certs::open_backup(options.backup, manifest.origin));
  TALLA_TRY_STATUS(ledger->leaves(0, manifest.size,
                                  [&](const Digest& leaf) { source.tree.append(hashes, leaf); }));
  TALLA_TRY(const Digest root, certs::root_at(hashes, source.nodes(), last.size));
  if (root != last.root)
    return fail(CliErrc::file, options.backup + ": its first " + std::to_string(last.size) +
                                   " records are another history than the root's statement names");
  return source;
}

/// Who signed the last checkpoint, and how the log's keys lead there.
Status give_keys(const EndedLogSource& source, certs::Bundle& bundle) {
  const certs::OpensslHashes hashes;
  const std::uint64_t size = source.end.last.size;
  bundle.log_key = source.backup.log_key;
  bundle.key_changes.clear();
  for (const certs::KeyChange& change : source.backup.changes) {
    TALLA_TRY(const certs::SignedCheckpoint own, certs::parse_checkpoint(change.checkpoint));
    if (own.checkpoint.size >= size) {
      bundle.log_key = change.log_key;
      break;
    }
    bundle.key_changes.push_back(change);
  }
  if (bundle.key_changes.empty()) return {};
  certs::KeyChange& newest = bundle.key_changes.back();
  TALLA_TRY(const certs::SignedCheckpoint own, certs::parse_checkpoint(newest.checkpoint));
  TALLA_TRY(newest.consistency,
            certs::consistency_path(hashes, source.nodes(), own.checkpoint.size, size));
  return {};
}

/// The same records, each proven at the last checkpoint. One that is not in the log ends in a
/// bundle that does not verify.
Status reissue(const App& app, const EndedLogOptions& options) {
  const certs::OpensslHashes hashes;
  TALLA_TRY(const EndedLogSource source, load_source(app, options));
  TALLA_TRY(const std::string text, read_file(options.files.front()));
  TALLA_TRY(certs::Bundle bundle, certs::parse_bundle(text));
  const std::uint64_t size = source.end.last.size;
  bundle.checkpoint = source.end.statement.checkpoint;
  TALLA_TRY_STATUS(give_keys(source, bundle));
  for (certs::BundleRecord& entry : bundle.records) {
    TALLA_TRY(const certs::Record record, certs::parse_record(entry.record));
    if (record.seq >= size || record.origin != source.end.last.origin)
      return fail(CliErrc::file, options.files.front() + ": record " + std::to_string(record.seq) +
                                     " of " + record.origin + " is not of what counts");
    TALLA_TRY(entry.path, certs::inclusion_path(hashes, source.nodes(), record.seq, size));
  }
  const std::string made = certs::format_bundle(bundle);
  TALLA_TRY(const std::string roots, read_file(options.root));
  TALLA_TRY(const std::string statement, read_file(options.ended));
  const std::vector<std::string> ended{statement};
  const auto verdict = certs::verify_bundle(made, roots, {.ended = ended});
  if (!verdict) return not_valid(app, options.files.front(), verdict.error());
  TALLA_TRY_STATUS(write_file(options.out, made));
  app.say("made again at the end of " + verdict->origin + ", " + std::to_string(size) +
          " records: " + options.out);
  app.emit(json::Object{{"claim", verdict->claim},
                        {"origin", verdict->origin},
                        {"out", options.out},
                        {"size", size}});
  return {};
}

/// The note of an archive (FORMAT.md section 13); nothing when it is none.
std::optional<std::string> note_of_archive(const std::string& path) {
  const auto file = certs::FileSource::open(path);
  if (!file) return std::nullopt;
  const auto archive = certs::ArchiveReader::open(**file);
  return archive ? std::optional(archive->header().checkpoint) : std::nullopt;
}

/// The checkpoint of a bundle, a receipt, an archive, or a file that is one.
Result<certs::Checkpoint> checkpoint_in(const std::string& path) {
  const auto archived = note_of_archive(path);
  std::string text;
  if (archived) {
    text = *archived;
  } else {
    TALLA_TRY(text, read_file(path));
  }
  std::string note = text;
  if (const auto bundle = certs::parse_bundle(text)) {
    note = bundle->checkpoint;
  } else if (const auto receipt = certs::parse_receipt(text)) {
    TALLA_TRY(const certs::OpenedReceipt opened, certs::open_receipt(*receipt));
    return opened.checkpoint.checkpoint;
  }
  auto parsed = certs::parse_cosigned_checkpoint(note);
  if (!parsed) return fail(CliErrc::file, path + ": no bundle, receipt, archive or checkpoint");
  return parsed->checkpoint;
}

Status prove(const App& app, const EndedLogOptions& options) {
  const certs::OpensslHashes hashes;
  TALLA_TRY(const EndedLogSource source, load_source(app, options));
  const certs::Checkpoint& last = source.end.last;
  std::map<std::uint64_t, certs::ConsistencyFile::Proof> proofs;
  for (const std::string& path : options.files) {
    TALLA_TRY(const certs::Checkpoint head, checkpoint_in(path));
    if (head == last) continue;
    if (head.origin != last.origin || head.size >= last.size || head.size == 0)
      return fail(CliErrc::file, path + ": is of " + std::to_string(head.size) + " records of " +
                                     head.origin + ", which is not of what counts");
    TALLA_TRY(const Digest root, certs::root_at(hashes, source.nodes(), head.size));
    if (root != head.root)
      return fail(CliErrc::receipt_refused, path + ": NOT VALID: its checkpoint of " +
                                                std::to_string(head.size) +
                                                " is of another history than the log's");
    certs::ConsistencyFile::Proof proof{.size = head.size, .root = root, .path = {}};
    TALLA_TRY(proof.path, certs::consistency_path(hashes, source.nodes(), head.size, last.size));
    proofs.insert_or_assign(head.size, std::move(proof));
  }
  if (proofs.empty())
    return fail(CliErrc::usage, "nothing to prove: the files are of the last checkpoint itself");
  certs::ConsistencyFile file{.head = last, .proofs = {}};
  for (auto& [size, proof] : proofs) file.proofs.push_back(std::move(proof));
  TALLA_TRY_STATUS(write_file(options.out, certs::format_consistency(file)));
  app.say(std::to_string(file.proofs.size()) + " checkpoints lead to the end of " + last.origin +
          ": " + options.out);
  app.emit(json::Object{{"origin", last.origin},
                        {"out", options.out},
                        {"proofs", file.proofs.size()},
                        {"size", last.size}});
  return {};
}

void add_source(commandline::Command& command, EndedLogOptions& options) {
  command.add_option("--backup", options.backup, "a backup of the log that reaches its end")
      ->required();
  command.add_option("--ended", options.ended, "the root's statement (talla keys ceremony end)")
      ->required();
  command.add_option("--root", options.root, "trusted root certificates, PEM")->required();
  command.add_option("--out", options.out, "file to write")->required();
}

}  // namespace

Result<certs::EndedLog> load_end(const std::string& path, const std::string& root_path) {
  TALLA_TRY(const std::string text, read_file(path));
  TALLA_TRY(const std::string roots, read_file(root_path));
  const std::vector<std::string> files{text};
  TALLA_TRY(auto ends, certs::verify_log_ends(files, roots));
  return std::move(ends.front());
}

void add_log_end(commandline::Command& log, App& app) {
  auto again = std::make_shared<EndedLogOptions>();
  again->files.resize(1);
  auto* reissued = log.add_subcommand(
      "reissue",
      "a bundle of a log that has ended, made again at its last checkpoint, from a backup");
  reissued->add_option("FILE", again->files.front(), "the bundle (.talla)")->required();
  add_source(*reissued, *again);
  reissued->callback([&app, again] { app.finish(reissue(app, *again)); });
  auto options = std::make_shared<EndedLogOptions>();
  auto* proven = log.add_subcommand(
      "prove",
      "proofs that lead from the checkpoints of evidence to the last one of a log that has ended");
  proven->add_option("FILE", options->files, "bundles, receipts, archives or checkpoints")
      ->required();
  add_source(*proven, *options);
  proven->callback([&app, options] { app.finish(prove(app, *options)); });
  proven->footer(
      "For talla verify --ended STATEMENT --consistency FILE. It needs no secrecy and no "
      "signature.");
}

}  // namespace talla::cli
