/// \file
/// What refusals say, in one place and two languages.
///
/// A refusal travels as an `Error`: its stable code and one English sentence. The sentence is made
/// of a form in the book below and of values: what was found, what is allowed instead, where the
/// text says it. So the facts can be read back out of it wherever it arrives (a scenario, a problem
/// document of the API), and said in the reader's language. Codes, ids and places are the same in
/// every language.
///
/// A form names its values: "{kind}: at most {allowed}". Three names are special: `{why}` holds
/// another refusal, `{now}` a list of them, and a name that ends in "~" one of the few words of the
/// book (`{face~}`).
/// Threads: pure functions.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/errc.hpp"
#include "games/event.hpp"
#include "games/need.hpp"
#include "games/rules.hpp"

namespace talla::games {

/// One form of a refusal.
struct RefusalForm {
  std::string_view en;
  std::string_view es;
};
using RefusalValues = std::vector<std::pair<std::string_view, std::string>>;

/// An error whose detail is that English form with its values. Precondition (checked): every
/// name of the form has a value.
[[nodiscard]] tl::unexpected<Error> refuse(Errc errc, std::string_view form,
                                           const RefusalValues& values);
/// The form with its values, for parts of a sentence.
[[nodiscard]] std::string filled_form(std::string_view form, const RefusalValues& values);

/// The facts of a refusal, read out of its sentence.
struct RefusalFacts {
  const RefusalForm* form = nullptr;
  RefusalValues values;
  std::string before;  ///< citation in front: "01 IV.1.B.b"
  std::string after;   ///< citation behind it
};
/// Forms of other modules are looked at first (`more`). nullopt: no form says this.
[[nodiscard]] std::optional<RefusalFacts> facts_of(std::string_view detail,
                                                   std::span<const RefusalForm> more = {});

/// The sentence in "es" or "en". In Spanish a sentence that no form says stays as it is, behind
/// what its code means.
[[nodiscard]] std::string refusal_text(std::string_view code, std::string_view detail,
                                       std::string_view language,
                                       std::span<const RefusalForm> more = {});
/// What a code of this module means, in a few words; empty for others.
[[nodiscard]] std::string_view errc_words(std::string_view code, std::string_view language);

/// What is allowed instead: an unknown code gets the codes that the game has, an event that is not
/// due gets what is. Every refusal of an engine passes here once, in the driver.
[[nodiscard]] Error with_instead(const GameRules& rules, const Needs& due, const Event& event,
                                 Error error);

/// What may come next, in forms of the book: "bets are open; seat 3 decides: pedir, plantarse".
[[nodiscard]] std::string due_words(const Needs& due);
/// Those words in "es" or "en".
[[nodiscard]] std::string due_text(std::string_view words, std::string_view language);

/// At most `most` of them with commas, then "...".
[[nodiscard]] std::string listed(std::span<const std::string> all, std::size_t most = 40);

}  // namespace talla::games
