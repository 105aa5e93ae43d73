/// \file
/// Reads the keys of one TOML table by name and type and refuses the rest, with file and line.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#define TOML_EXCEPTIONS 0
// Broken text reaches an assertion of the library and is refused right behind it: off in every
// build.
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>

namespace talla::rngd {

/// The file's text. Errors: bad_configuration.
[[nodiscard]] Result<std::string> read_text(const std::string& path);
/// The whole table of a TOML text. Errors: bad_configuration with file and line.
[[nodiscard]] Result<toml::table> parse_toml(std::string_view text, const std::string& path);

class TomlReader {
 public:
  /// `known`: takes every key that is asked for, there or not; null: nobody wants them.
  TomlReader(const toml::table& table, std::string path, std::string prefix,
             std::vector<KnownKey>* known = nullptr)
      : table_(&table), path_(std::move(path)), prefix_(std::move(prefix)), known_(known) {}

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::vector<KnownKey>* known() const { return known_; }
  [[nodiscard]] tl::unexpected<Error> refuse(const toml::node* node, std::string_view key,
                                             const std::string& what) const {
    std::string where = path_;
    if (node != nullptr) where += ":" + std::to_string(node->source().begin.line);
    return fail(ConfigErrc::bad_configuration,
                where + ": " + prefix_ + std::string(key) + ": " + what);
  }

  /// Leaves `target` as it is when the key is absent and not required.
  [[nodiscard]] Status text(std::string_view key, std::string& target, bool required = false) {
    note(key, '"' + target + '"', {}, required);
    const toml::node* node = take(key);
    if (node == nullptr) return required ? Status(refuse(nullptr, key, "is missing")) : Status();
    const auto value = node->value_exact<std::string>();
    if (!value) return refuse(node, key, "a text is expected");
    target = *value;
    return {};
  }

  template <class Integer>
  [[nodiscard]] Status integer(std::string_view key, Integer& target, std::int64_t min,
                               std::int64_t max) {
    note(key, std::to_string(target), std::to_string(min) + " to " + std::to_string(max), false);
    const toml::node* node = take(key);
    if (node == nullptr) return {};
    const auto value = node->value_exact<std::int64_t>();
    if (!value || *value < min || *value > max) {
      return refuse(
          node, key,
          "an integer from " + std::to_string(min) + " to " + std::to_string(max) + " is expected");
    }
    target = static_cast<Integer>(*value);
    return {};
  }

  /// A decimal number, with or without a fraction.
  [[nodiscard]] Status real(std::string_view key, double& target, double min, double max) {
    note(key, decimal(target), decimal(min) + " to " + decimal(max), false);
    const toml::node* node = take(key);
    if (node == nullptr) return {};
    const auto value = node->value<double>();
    if (!value || !(*value >= min && *value <= max)) {
      return refuse(node, key,
                    "a number from " + decimal(min) + " to " + decimal(max) + " is expected");
    }
    target = *value;
    return {};
  }

  [[nodiscard]] Status boolean(std::string_view key, bool& target) {
    note(key, target ? "true" : "false", {}, false);
    const toml::node* node = take(key);
    if (node == nullptr) return {};
    const auto value = node->value_exact<bool>();
    if (!value) return refuse(node, key, "true or false is expected");
    target = *value;
    return {};
  }

  [[nodiscard]] Result<std::vector<std::string>> texts(std::string_view key) {
    const toml::node* node = take(key);
    const toml::array* array = node == nullptr ? nullptr : node->as_array();
    if (array == nullptr) return refuse(node, key, "a list of texts is expected");
    std::vector<std::string> out;
    for (const auto& item : *array) {
      const auto value = item.value_exact<std::string>();
      if (!value) return refuse(&item, key, "a list of texts is expected");
      out.push_back(*value);
    }
    return out;
  }

  /// Leaves `target` as it is when the key is absent.
  [[nodiscard]] Status list(std::string_view key, std::vector<std::string>& target) {
    note(key, "[]", {}, false);
    if (table_->get(key) == nullptr) {
      static_cast<void>(take(key));
      return {};
    }
    TALLA_TRY(target, texts(key));
    return {};
  }

  /// The sub-table, or nullptr when absent.
  [[nodiscard]] Result<const toml::table*> table(std::string_view key) {
    const toml::node* node = take(key);
    if (node == nullptr) return static_cast<const toml::table*>(nullptr);
    if (!node->is_table()) return refuse(node, key, "a table is expected");
    return node->as_table();
  }
  [[nodiscard]] const toml::node* take(std::string_view key) {
    read_.emplace_back(key);
    return table_->get(key);
  }

  [[nodiscard]] Status finish() const {
    for (const auto& [key, node] : *table_) {
      if (std::find(read_.begin(), read_.end(), key.str()) == read_.end())
        return refuse(&node, key.str(), "is not known; there are " + known_here());
    }
    return {};
  }

 private:
  void note(std::string_view key, std::string fallback, std::string range, bool required) const {
    if (known_ != nullptr)
      known_->push_back(
          {prefix_ + std::string(key), std::move(fallback), std::move(range), required});
  }
  /// The keys that were asked for, which are all that may stand here.
  [[nodiscard]] std::string known_here() const {
    std::string out;
    for (auto one = read_.begin(); one != read_.end(); ++one) {
      if (std::find(read_.begin(), one, *one) == one) out += (out.empty() ? "" : ", ") + *one;
    }
    return out;
  }
  [[nodiscard]] static std::string decimal(double value) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), end.ptr};
  }
  const toml::table* table_;
  std::string path_;
  std::string prefix_;
  std::vector<KnownKey>* known_;
  std::vector<std::string> read_;
};

}  // namespace talla::rngd
