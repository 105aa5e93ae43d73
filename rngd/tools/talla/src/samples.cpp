// talla samples: a laboratory fetches what two persons ordered for it, and holds it against the
// log; outcomes of a table of class lab become a laboratory file that every verifier reads.
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

#include "base/bytes.hpp"
#include "certs/openssl_hashes.hpp"
#include "format/body_machine.hpp"
#include "format/bundle.hpp"
#include "format/lab_table.hpp"
#include "members.hpp"
#include "steps.hpp"
#include "trust.hpp"
#include "verify/verify.hpp"

namespace talla::cli {

namespace {

/// An appliance that sends pieces for ever ends here.
constexpr std::int64_t samples_bytes_max = std::int64_t{64} << 20;

struct SamplesOptions {
  std::string act;
  std::string out;
  int wait_seconds = 600;
};

/// What the appliance says of the order, with the piece at `offset` once it is done.
Result<json::Value> ask_for(Session& session, const SamplesOptions& options, std::size_t offset) {
  TALLA_TRY(const json::Value reply,
            session.get("/v1/samples/" + options.act + "?offset=" + std::to_string(offset)));
  const json::Value* samples = reply.find("samples");
  if (samples == nullptr || !samples->is_object())
    return fail(CliErrc::appliance_refused, "the reply has no samples");
  return *samples;
}

/// How far it is: bytes, and of what.
std::string taken_words(const json::Value& samples) {
  const std::string taken = number_text(samples, "taken");
  return number_in(samples, "count")
             ? taken + " bytes of " + number_text(samples, "count") + " outcomes"
             : taken + " of " + number_text(samples, "bytes") + " bytes";
}

/// Until the order has ended.
Status await_end(const App& app, Session& session, const SamplesOptions& options) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(options.wait_seconds);
  while (true) {
    TALLA_TRY(const json::Value samples, ask_for(session, options, 0));
    const std::string state = word_in(samples, "state");
    if (state == "done") return {};
    if (state == "failed")
      return fail(CliErrc::appliance_refused, options.act + " has failed (record " +
                                                  number_text(samples, "record") +
                                                  "): nothing of it is given");
    if (std::chrono::steady_clock::now() >= end) {
      return fail(CliErrc::appliance_refused,
                  options.act + " is under way: " + taken_words(samples));
    }
    app.say(taken_words(samples));
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}

/// What the log says that the order gave. The record is verified by its receipt.
struct Given {
  std::uint64_t record = 0;
  std::string samples;
  std::int64_t bytes = 0;
  Digest digest{};
  std::optional<std::int64_t> count{};  ///< of outcomes of a table
};
Result<Given> given_by_log(Session& session, const SamplesOptions& options,
                           const json::Value& said) {
  TALLA_TRY(const std::int64_t seq, integer_at(said, {"record"}));
  TALLA_TRY(const std::int64_t bytes, integer_at(said, {"bytes"}));
  const auto number = static_cast<std::uint64_t>(seq);
  TALLA_TRY(const std::string text, session.verified_record(number));
  TALLA_TRY(const certs::Record record, certs::parse_record(text));
  const auto other = [&](const std::string& why) {
    return fail(CliErrc::receipt_refused, "record " + std::to_string(number) +
                                              " is not the end of " + options.act + ": " + why);
  };
  if (record.kind != certs::Kind::access) return other("no ACCESS");
  TALLA_TRY(const certs::AccessBody body, certs::AccessBody::from_json(record.body));
  TALLA_TRY(const std::uint64_t act, certs::object_seq("act", options.act));
  if (body.what != "sampling-order.done" || body.refused) return other(body.what);
  if (record.cites != std::vector<std::uint64_t>{act}) return other("it is of another act");
  if (!body.digest) return other("it has no digest");
  const auto count = number_in(said, "count");
  const bool of_table = certs::names_lab_table(word_in(said, "samples"));
  if (of_table != count.has_value()) return other("it is of no table, or of one");
  const std::string named =
      word_in(said, "samples") + ":" + std::to_string(count.value_or(bytes)) + ":";
  if (!body.object.starts_with(named) || bytes <= 0 || bytes > samples_bytes_max)
    return other("it is of " + body.object);
  TALLA_TRY(const auto own, session.own_names());
  const std::string laboratory = body.object.substr(named.size());
  if (std::ranges::find(own, laboratory) == own.end())
    return other("it was ordered for " + laboratory + ", not for " +
                 (own.empty() ? "this client" : own.front()));
  return Given{number, word_in(said, "samples"), bytes, *body.digest, count};
}

/// Goes on where an earlier run stopped; the file of the pieces.
Result<std::string> fetch_pieces(const App& app, Session& session, const SamplesOptions& options,
                                 const Given& given) {
  std::string part = options.out + "." + options.act + ".part";
  const auto whole = static_cast<std::size_t>(given.bytes);
  std::error_code error;
  std::size_t held = std::filesystem::exists(part, error)
                         ? static_cast<std::size_t>(std::filesystem::file_size(part, error))
                         : 0;
  std::ofstream file(part, std::ios::binary | std::ios::app);
  if (held > 0) app.say("going on behind " + std::to_string(held) + " bytes");
  while (held < whole) {
    TALLA_TRY(const json::Value piece, ask_for(session, options, held));
    TALLA_TRY(const std::string text, text_at(piece, {"data"}));
    TALLA_TRY(const Bytes data, from_base64(text));
    if (data.empty() || data.size() > whole - held)
      return fail(CliErrc::appliance_refused, "a piece of the samples has a wrong length");
    file.write(reinterpret_cast<const char*>(data.data()),  // NOLINT: bytes of a file
               static_cast<std::streamsize>(data.size()));
    file.flush();
    if (!file) return fail(CliErrc::file, part + ": cannot be written");
    held += data.size();
  }
  return part;
}

/// How `talla-lab outcomes` calls the results of such a table.
std::string results_name(const certs::LabTable& table) {
  if (const auto* deck = table.shoe()) {
    const bool balls = deck->options().family == shuffle::DeckFamily::balls90;
    return balls ? "balls:" + std::to_string(deck->cards_count()) : "shoe:" + deck->text();
  }
  const auto& drawn = std::get<certs::DrawSpecification>(table.drawn);
  if (const auto* dice = std::get_if<certs::DiceDraw>(&drawn))
    return "dice:" + std::to_string(dice->count) + "x" + std::to_string(dice->faces);
  if (const auto* wheel = std::get_if<certs::WheelDraw>(&drawn))
    return "wheel:" + std::to_string(wheel->pockets);
  return "wheel:" + std::to_string(std::get<certs::LotsDraw>(drawn).bounds.front());
}

/// The outcomes alone, one a line, behind a first line that says what they are.
std::string results_text(const certs::LabTable& table, const Given& given,
                         const std::string& outcomes) {
  std::string text = "# " +
                     json::canonical(json::Object{{"class", "lab"},
                                                  {"count", given.count.value_or(0)},
                                                  {"kind", "talla-lab sample"},
                                                  {"outcomes", results_name(table)},
                                                  {"table", given.samples}}) +
                     "\n";
  for (std::size_t at = 0; at < outcomes.size();) {
    const auto end = std::min(outcomes.find('\n', at), outcomes.size());
    const auto space = std::min(outcomes.find(' ', at), end);
    text.append(outcomes, space + 1, end - space);
    at = end + 1;
  }
  return text;
}

/// The laboratory file in the place of the pieces: what two persons ordered, as the log has it, and
/// the outcomes, judged as every verifier does.
Status write_laboratory_file(const App& app, Session& session, const std::string& out,
                             const Given& given, const std::string& outcomes) {
  TALLA_TRY(const std::string steps,
            session.get_text("/v1/bundles/" + std::to_string(given.record)));
  TALLA_TRY(certs::Bundle bundle, certs::parse_bundle(steps));
  const auto table = certs::LabTable::parse(given.samples);
  if (!table || !bundle.laboratory || bundle.claim != given.record)
    return fail(CliErrc::appliance_refused, "what was sent is no evidence of this order");
  bundle.outcomes = outcomes;
  const std::string file = certs::format_bundle(bundle);
  TALLA_TRY(const Trust trust, load_trust(app, {}));
  const auto verdict = certs::verify_bundle(file, trust.roots, trust.options(false));
  if (!verdict) return not_valid(app, out, verdict.error());
  TALLA_TRY_STATUS(write_file(out + ".results.txt", results_text(*table, given, outcomes)));
  return write_file(out, file);
}

Status fetch_samples(const App& app, Session& session, const SamplesOptions& options) {
  const std::string manifest_file = options.out + ".manifest.json";
  for (const auto& file : {options.out, manifest_file, options.out + ".results.txt"}) {
    if (std::filesystem::exists(file))
      return fail(CliErrc::file, file + ": is there; a new file is expected");
  }
  umask(S_IRWXG | S_IRWXO);  // for this user alone
  TALLA_TRY_STATUS(await_end(app, session, options));
  TALLA_TRY(const json::Value said, ask_for(session, options, 0));
  TALLA_TRY(const Given given, given_by_log(session, options, said));
  TALLA_TRY(const std::string part, fetch_pieces(app, session, options, given));
  TALLA_TRY(const std::string bytes, read_file(part));
  const Digest digest = certs::OpensslHashes().sha256({as_bytes(bytes)});
  if (digest != given.digest) {
    return fail(CliErrc::receipt_refused,
                part + " is not what record " + std::to_string(given.record) +
                    " says that was given; it is left for you to look at");
  }
  TALLA_TRY(const std::string receipt,
            session.get_text("/v1/receipts/" + std::to_string(given.record)));
  TALLA_TRY_STATUS(write_file(options.out + ".receipt.json", receipt));
  json::Object members{{"act", options.act},
                       {"bytes", given.bytes},
                       {"file", std::filesystem::path(options.out).filename().string()},
                       {"record", given.record},
                       {"samples", given.samples},
                       {"sha256", to_hex(digest)}};
  if (given.count) members["count"] = *given.count;
  if (const auto bits = number_in(said, "bits_per_sample")) members["bits_per_sample"] = *bits;
  const json::Value manifest(std::move(members));
  std::error_code error;
  if (given.count) {
    TALLA_TRY_STATUS(write_laboratory_file(app, session, options.out, given, bytes));
    std::filesystem::remove(part, error);
  } else {
    std::filesystem::rename(part, options.out, error);
  }
  if (error) return fail(CliErrc::file, options.out + ": " + error.message());
  TALLA_TRY_STATUS(write_file(manifest_file, json::canonical(manifest) + "\n"));
  app.say((given.count ? std::to_string(*given.count) + " outcomes"
                       : std::to_string(given.bytes) + " bytes") +
          " of " + given.samples + " in " + options.out + ", as record " +
          std::to_string(given.record) + " says");
  app.emit(manifest);
  return {};
}

}  // namespace

void add_samples(commandline::Command& root, App& app) {
  auto options = std::make_shared<SamplesOptions>();
  auto* command =
      root.add_subcommand("samples",
                          "laboratories: fetch what two persons ordered for you (talla act ask "
                          "sampling-order), held against the log");
  command->add_option("ACT", options->act, "act-N, confirmed")->required();
  command
      ->add_option("OUT", options->out,
                   "file to write; its manifest and the receipt of the log stand beside it; of a "
                   "table the laboratory file, with its results alone in OUT.results.txt")
      ->required();
  command->add_option("--wait", options->wait_seconds, "seconds to wait for the end of the order")
      ->range(0, 86'400)
      ->capture_default_str();
  command->footer("The same line goes on where it was interrupted. Never play with them.");
  command->callback([&app, options] {
    with_session(app, [&](Session& session) { return fetch_samples(app, session, *options); });
  });
}

}  // namespace talla::cli
