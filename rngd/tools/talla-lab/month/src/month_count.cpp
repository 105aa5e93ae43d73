// A month of a file of records, held against a signed checkpoint.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "format/checkpoint.hpp"
#include "format/cosignature.hpp"
#include "lab_month/month.hpp"
#include "month/months.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::lab::month {
namespace {

using talla::month::MonthErrc;
using talla::month::Months;

tl::unexpected<Error> month_refusal(const std::string& what) {
  return fail(MonthErrc::month_refused, what);
}

class LogFile {
 public:
  explicit LogFile(const MonthWish& wish) : wish_(wish) {}

  [[nodiscard]] Result<json::Value> counted() {
    TALLA_TRY_STATUS(read_checkpoint());
    std::size_t number = 0;
    for (std::size_t at = 0; at < wish_.log.size();) {
      const std::size_t end = std::min(wish_.log.find('\n', at), wish_.log.size());
      ++number;
      TALLA_TRY_STATUS(line(std::string_view(wish_.log).substr(at, end - at), number));
      at = end + 1;
    }
    if (months_.below() == 0) return month_refusal("the log: there is no record in it");
    if (checkpoint_ && !held_)
      fault("short", fmt::format("the checkpoint is of {} records, here are those below {}{}",
                                 checkpoint_->size, months_.below(),
                                 months_.root() ? "" : ", not all of them"));
    std::string against =
        held_ ? "a signed checkpoint of " + std::to_string(checkpoint_->size) + " records"
              : "nothing";
    return months_.report(wish_.month,
                          {.against = std::move(against), .faults = std::move(faults_)});
  }

 private:
  void fault(const std::string& what, const std::string& words) {
    faults_.emplace_back(json::Object{{"what", what}, {"words", words}});
  }
  [[nodiscard]] Status read_checkpoint() {
    if (wish_.checkpoint.empty()) return {};
    const certs::BotanHashes hashes;
    const certs::BotanEd25519 verifier;
    const auto key = certs::parse_verifier_key(hashes, wish_.key);
    if (!key) return month_refusal("--key: " + key.error().detail);
    const auto note = certs::parse_note(wish_.checkpoint);
    if (!note) return month_refusal("--checkpoint: " + note.error().detail);
    if (certs::check_log_signature(*note, *key, verifier) != certs::Signed::valid)
      return month_refusal("--checkpoint: it is not signed by " + key->name);
    TALLA_TRY(checkpoint_, certs::parse_checkpoint_text(note->text));
    if (checkpoint_->size == 0) return month_refusal("--checkpoint: of a log without records");
    return {};
  }
  [[nodiscard]] Status line(std::string_view text, std::size_t number) {
    if (text.empty()) return {};
    const std::string where = "line " + std::to_string(number) + ": ";
    json::Value receipt;
    if (text.starts_with(R"({"proof":)")) {
      auto parsed = json::parse(text);
      if (!parsed) return month_refusal(where + parsed.error().detail);
      receipt = std::move(*parsed);
      const json::Value* inner = receipt.find("record");
      if (inner == nullptr || !inner->is_string())
        return month_refusal(where + "a receipt without its record");
      text = inner->string();
    }
    const std::uint64_t next = months_.below();
    if (const auto taken = months_.take(text); !taken)
      return month_refusal(where + taken.error().detail);
    if (checkpoint_ && checkpoint_->origin != months_.origin())
      return month_refusal("--checkpoint: is of " + checkpoint_->origin + ", not of " +
                           months_.origin());
    if (months_.below() > next + 1)
      fault("gap", fmt::format("records {} to {} are not here", next, months_.below() - 2));
    if (!checkpoint_ || months_.below() != checkpoint_->size) return {};
    if (const auto root = months_.root()) {
      held_ = true;
      if (*root != checkpoint_->root)
        fault("root", fmt::format("the first {} records are not those of the signed checkpoint",
                                  checkpoint_->size));
    }
    return {};
  }

  const MonthWish& wish_;
  std::optional<certs::Checkpoint> checkpoint_;
  bool held_ = false;  // the checkpoint's root was looked at
  Months months_;
  json::Array faults_;
};

}  // namespace

Result<json::Value> month_of(const MonthWish& wish) {
  if (!talla::month::is_month(wish.month))
    return month_refusal(wish.month + ": a month like 2026-11 is expected");
  return LogFile(wish).counted();
}

}  // namespace talla::lab::month
