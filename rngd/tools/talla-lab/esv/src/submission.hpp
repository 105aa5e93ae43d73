/// \file
/// A submission taken apart, and how rules speak of it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "lab_esv/esv.hpp"
#include "numbers.hpp"

namespace talla::lab::esv {

/// What the server knows, as far as somebody said so.
struct Certificate {
  bool physical = false;
  std::vector<std::pair<std::int64_t, bool>> environments;  ///< Number, full entropy.
};
class Known {
 public:
  [[nodiscard]] static Result<Known> read(std::string_view text);
  /// Nothing was said: rules stay open.
  [[nodiscard]] bool nothing() const { return nothing_; }
  [[nodiscard]] const Certificate* entropy(std::string_view number) const;
  /// The environments of an algorithm validation; null: there is none.
  [[nodiscard]] const std::vector<std::int64_t>* algorithm(std::string_view number) const;
  [[nodiscard]] bool environment(std::int64_t number) const;

 private:
  bool nothing_ = true;
  std::vector<std::pair<std::string, Certificate>> entropy_;
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> algorithms_;
  std::vector<std::int64_t> environments_;
};

struct Submission {
  json::Value file;                        ///< Owns what the others point into.
  const json::Value* source = nullptr;     ///< Object; null: there is none.
  const json::Value* rbgs = nullptr;       ///< List.
  const json::Value* certify = nullptr;    ///< Object.
  const json::Value* documents = nullptr;  ///< List.
  const json::Value* data = nullptr;       ///< List.
  std::string folder;
  Known known;
};
[[nodiscard]] Result<Submission> read_submission(std::string_view text, const std::string& folder,
                                                 const Facts& facts);

/// Gathers what a rule finds.
class Ruling {
 public:
  explicit Ruling(Finding& finding) : finding_(finding) {}
  /// The rule is about this; broken unless it holds. `right`: what would be.
  bool need(bool holds, const std::string& where, const std::string& right);
  /// Only the server knows; `what` is looked up there.
  void open(const std::string& what);

 private:
  Finding& finding_;
};

struct Rule {
  RuleText text;
  void (*judge)(const Submission& submission, Ruling& ruling);
};
[[nodiscard]] std::span<const Rule> source_rules();
[[nodiscard]] std::span<const Rule> rbg_rules();
[[nodiscard]] std::span<const Rule> seed_rules();
[[nodiscard]] std::span<const Rule> certify_rules();
[[nodiscard]] std::span<const Rule> file_rules();

// Members of an object, of the type asked for; nothing else is one.
[[nodiscard]] std::optional<bool> flag_at(const json::Value& value, std::string_view name);
[[nodiscard]] std::optional<std::string> text_at(const json::Value& value, std::string_view name);
[[nodiscard]] std::optional<Nano> number_at(const json::Value& value, std::string_view name);
/// A list; an empty one where there is none.
[[nodiscard]] const json::Array& list_at(const json::Value& value, std::string_view name);
/// Whole numbers of a list; nothing when it is no list of them, or is empty, or has one twice.
[[nodiscard]] std::optional<std::vector<std::int64_t>> ids_at(const json::Value& value,
                                                              std::string_view name);
[[nodiscard]] bool blank(std::string_view text);
/// "conditioningComponent[2]"
[[nodiscard]] std::string place(std::string_view list, std::size_t index);

/// The functions of SP 800-90B 3.1.5.1.2, table 1, under the server's names.
struct VettedFunction {
  std::string_view name;
  std::int64_t nw = 0;        ///< bits; 0: this preflight does not know
  std::int64_t n_out = 0;     ///< bits; 0: any up to `out_most`
  std::int64_t out_most = 0;  ///< bits
};
[[nodiscard]] const VettedFunction* vetted_function(std::string_view name);

}  // namespace talla::lab::esv
