/// \file
/// The few words that tables and sentences about catalogues need beside the catalogues' own texts,
/// in es and en.
#pragma once

#include <string>
#include <string_view>

namespace talla::games {

class Words {
 public:
  /// "es" or "en"; anything else is English.
  explicit Words(std::string_view language) : spanish_(language == "es") {}
  /// Precondition (checked): the word is in the list.
  [[nodiscard]] std::string operator()(std::string_view key) const;

 private:
  bool spanish_;
};

}  // namespace talla::games
