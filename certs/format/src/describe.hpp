/// \file
/// The description of an object of a record, and what follows from it: reader, checker, JSON value
/// and fast writer. Private to certs_format.
///
/// `Description<B>` binds each member of the struct B once to its name, type, presence and meaning.
/// Rows stand in the order in which they are read, so a condition looks at rows before its own;
/// what is written stands in the order of the names.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "base/json.hpp"
#include "format/compose.hpp"
#include "format/errc.hpp"
#include "format/record.hpp"
#include "member_table.hpp"
#include "text_writer.hpp"

namespace talla::certs {

/// What is wrong with a value, from the inside out: the path grows while it is handed up.
struct Refusal {
  std::string where;                    ///< "context.sources[].model"; empty: the value itself
  std::string why;                      ///< what would be right
  std::optional<FormatErrc> errc = {};  ///< that of the innermost object that has one
};
/// Null: nothing is wrong.
using Problem = std::unique_ptr<Refusal>;

[[nodiscard]] Problem refused(std::string why);
[[nodiscard]] Problem expected(std::string_view words);
[[nodiscard]] Problem refused_at(std::string_view name, Problem problem);
[[nodiscard]] Error error_of(std::string_view object, FormatErrc errc, const Refusal& refusal);

/// Where each member of a description stands in an object; null: it is not there.
using Found = std::span<const json::Value*>;
struct NamedRow {
  std::string_view name;
  std::size_t row;
};
/// Refuses a member that has no row. Precondition: `names` in byte order.
[[nodiscard]] Problem find_members(const json::Value& value, std::span<const NamedRow> names,
                                   Found found);

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// The way from a struct to one of its values; optionals on the way may be empty.
template <auto First, auto... Rest>
struct Way {
  /// Null where an optional on the way is empty.
  template <class B>
  static constexpr auto* at(const B& body) {
    const auto& here = body.*First;
    using Here = std::remove_cvref_t<decltype(here)>;
    if constexpr (sizeof...(Rest) == 0) {
      return &here;
    } else if constexpr (is_optional<Here>) {
      using Inner = decltype(Way<Rest...>::at(*here));
      return here ? Way<Rest...>::at(*here) : Inner{nullptr};
    } else {
      return Way<Rest...>::at(here);
    }
  }
  /// Fills the optionals on the way.
  template <class B>
  static constexpr auto& fill(B& body) {
    auto& here = body.*First;
    if constexpr (sizeof...(Rest) == 0) {
      return here;
    } else if constexpr (is_optional<std::remove_cvref_t<decltype(here)>>) {
      if (!here) here.emplace();
      return Way<Rest...>::fill(*here);
    } else {
      return Way<Rest...>::fill(here);
    }
  }
  /// Whether an optional lies before the end of the way.
  template <class B>
  static constexpr bool passes_optional() {
    using Here = std::remove_cvref_t<decltype(std::declval<B&>().*First)>;
    if constexpr (sizeof...(Rest) == 0) {
      return false;
    } else if constexpr (is_optional<Here>) {
      return true;
    } else {
      return Way<Rest...>::template passes_optional<Here>();
    }
  }
  template <auto Before>
  using Behind = Way<Before, First, Rest...>;
};

/// Always there.
struct Always {};
/// Left out when it has nothing to say, never empty.
struct Perhaps {};
/// There exactly when a condition on members before it holds.
template <class B>
struct When {
  bool (*holds)(const B&);
  std::string_view words;
};
/// There exactly when the member `lead` is; the body says whether that is written.
template <class B>
struct Beside {
  std::string_view lead;
  bool (*holds)(const B&);
  std::string_view words;
};
/// Always there and equal to what another row has read into the same value.
struct Again {};

template <class W, class T, class P>
struct Row {
  using Path = W;
  using Type = T;
  using Presence = P;
  std::string_view name;
  T type;
  P presence;
  std::string_view meaning;
};

/// A rule over several members; `name` is the member that the refusal names.
template <class B>
struct Rule {
  std::string_view name;
  bool (*holds)(const B&);
  std::string_view words;
};
template <class B>
using NoRules = std::array<Rule<B>, 0>;

template <auto... Ms, class T>
[[nodiscard]] constexpr auto must(std::string_view name, T type, std::string_view meaning) {
  return Row<Way<Ms...>, T, Always>{name, type, {}, meaning};
}
template <auto... Ms, class T>
[[nodiscard]] constexpr auto may(std::string_view name, T type, std::string_view meaning) {
  return Row<Way<Ms...>, T, Perhaps>{name, type, {}, meaning};
}
template <auto... Ms, class P, class T>
[[nodiscard]] constexpr auto only(P presence, std::string_view name, T type,
                                  std::string_view meaning) {
  return Row<Way<Ms...>, T, P>{name, type, presence, meaning};
}
template <auto... Ms, class T>
[[nodiscard]] constexpr auto again(std::string_view name, T type, std::string_view meaning) {
  return Row<Way<Ms...>, T, Again>{name, type, {}, meaning};
}
/// The rows of a struct inside another one, whose members stand beside the others.
template <auto Before, class P, class... Rows>
[[nodiscard]] constexpr auto inside(P presence, const std::tuple<Rows...>& rows) {
  return std::apply(
      [presence](const Rows&... row) {
        return std::tuple{Row<typename Rows::Path::template Behind<Before>, typename Rows::Type, P>{
            row.name, row.type, presence, row.meaning}...};
      },
      rows);
}

/// Specialised for each described struct: `name` (how a refusal calls it), `errc`, `rows`, `rules`;
/// for the body of a kind also `kind`.
template <class B>
struct Description;

template <class B>
inline constexpr std::size_t row_count =
    std::tuple_size_v<std::remove_cvref_t<decltype(Description<B>::rows)>>;

template <class B>
inline constexpr auto named_rows = [] {
  std::array<NamedRow, row_count<B>> names{};
  std::apply(
      [&names](const auto&... row) {
        std::size_t i = 0;
        ((names[i] = {row.name, i}, ++i), ...);
      },
      Description<B>::rows);
  std::sort(names.begin(), names.end(),
            [](const NamedRow& a, const NamedRow& b) { return a.name < b.name; });
  return names;
}();

/// The member's type in the struct B.
template <class Row, class B>
using HeldType = std::remove_cvref_t<decltype(Row::Path::fill(std::declval<B&>()))>;
/// The few types that take an optional of the struct as a whole say so.
template <class T>
inline constexpr bool takes_optional = requires { T::takes_optional; };
/// The struct has an optional there, whose value is the member's.
template <class Row, class B>
inline constexpr bool held_in_optional =
    is_optional<HeldType<Row, B>> && !takes_optional<typename Row::Type>;
/// The struct itself shows whether the member is there.
template <class Row, class B>
inline constexpr bool shows_itself =
    held_in_optional<Row, B> || Row::Path::template passes_optional<B>();

template <class T>
[[nodiscard]] constexpr bool says_nothing(const T& value) {
  if constexpr (requires { value.empty(); }) {
    return value.empty();
  } else {
    return value == T{};
  }
}

/// The value that the writer puts down for this row; null: none.
template <class B, class Row>
[[nodiscard]] constexpr auto* shown_value(const Row& row, const B& body) {
  const auto* held = Row::Path::at(body);
  using Presence = typename Row::Presence;
  if constexpr (!shows_itself<Row, B>) {
    if constexpr (std::is_same_v<Presence, Perhaps>) {
      if (says_nothing(*held)) held = nullptr;
    } else if constexpr (requires { row.presence.holds; }) {
      if (!row.presence.holds(body)) held = nullptr;
    }
  }
  if constexpr (held_in_optional<Row, B>) {
    const auto* inner = held != nullptr && held->has_value() ? &**held : nullptr;
    return inner;
  } else {
    return held;
  }
}

/// What reading a member takes: its value in the text, and where it goes.
template <class B, class Row>
[[nodiscard]] Problem read_value(const Row& row, const json::Value& value, B& out) {
  auto& held = Row::Path::fill(out);
  if constexpr (std::is_same_v<typename Row::Presence, Again>) {
    auto same = held;
    if (auto problem = row.type.read(value, same)) return problem;
    return same == held ? nullptr : refused(std::string(row.meaning));
  } else if constexpr (held_in_optional<Row, B>) {
    return row.type.read(value, held.emplace());
  } else {
    if (auto problem = row.type.read(value, held)) return problem;
    if constexpr (std::is_same_v<typename Row::Presence, Perhaps>) {
      if (says_nothing(held)) return refused("is left out when it says nothing");
    }
    return nullptr;
  }
}

[[nodiscard]] Problem missing();
[[nodiscard]] Problem out_of_place(std::string_view condition);

template <class B, class Row>
[[nodiscard]] Problem read_row(const Row& row, const json::Value* value, Found found, B& out) {
  using Presence = typename Row::Presence;
  if constexpr (std::is_same_v<Presence, When<B>>) {
    if (!row.presence.holds(out))
      return value == nullptr ? nullptr : out_of_place(row.presence.words);
  } else if constexpr (std::is_same_v<Presence, Beside<B>>) {
    const bool led = [&] {
      for (const NamedRow& one : named_rows<B>)
        if (one.name == row.presence.lead) return found[one.row] != nullptr;
      return false;
    }();
    if (!led) return value == nullptr ? nullptr : out_of_place(row.presence.words);
  } else if constexpr (std::is_same_v<Presence, Perhaps>) {
    if (value == nullptr) return nullptr;
  }
  return value == nullptr ? missing() : read_value(row, *value, out);
}

template <class B>
[[nodiscard]] Problem broken_rule(const B& body) {
  for (const Rule<B>& rule : Description<B>::rules)
    if (!rule.holds(body)) return refused_at(rule.name, refused(std::string(rule.words)));
  return nullptr;
}

template <class B>
[[nodiscard]] Problem read_object(const json::Value& value, B& out) {
  std::array<const json::Value*, row_count<B>> found{};
  Problem problem = find_members(value, named_rows<B>, found);
  if (!problem) {
    std::apply(
        [&](const auto&... row) {
          std::size_t i = 0;
          const auto take = [&](const auto& one) {
            problem = read_row(one, found[i++], found, out);
            if (problem) problem = refused_at(one.name, std::move(problem));
            return problem == nullptr;
          };
          (void)(take(row) && ...);
        },
        Description<B>::rows);
  }
  if (!problem) problem = broken_rule(out);
  if (problem && !problem->errc) problem->errc = Description<B>::errc;
  return problem;
}

template <class B, class Row>
[[nodiscard]] Problem check_row(const Row& row, const B& body) {
  const auto* value = shown_value(row, body);
  if constexpr (requires { row.presence.holds; }) {
    if ((value != nullptr) != row.presence.holds(body))
      return value == nullptr ? missing() : out_of_place(row.presence.words);
  } else if constexpr (!std::is_same_v<typename Row::Presence, Perhaps>) {
    if (value == nullptr) return missing();
  }
  return value == nullptr ? nullptr : row.type.check(*value);
}

/// The rules of `read_object`, over the values.
template <class B>
[[nodiscard]] Problem check_object(const B& body) {
  Problem problem;
  std::apply(
      [&](const auto&... row) {
        const auto fits = [&](const auto& one) {
          problem = check_row(one, body);
          if (problem) problem = refused_at(one.name, std::move(problem));
          return problem == nullptr;
        };
        (void)(fits(row) && ...);
      },
      Description<B>::rows);
  if (!problem) problem = broken_rule(body);
  if (problem && !problem->errc) problem->errc = Description<B>::errc;
  return problem;
}

/// Calls `write(row)` for each row in the order of the names.
template <class B, class F>
constexpr void in_order_of_names(F&& write) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (write(std::get<named_rows<B>[I].row>(Description<B>::rows)), ...);
  }(std::make_index_sequence<row_count<B>>());
}

/// Precondition: `check_object` has accepted the body.
template <class B>
void write_object(TextWriter& out, const B& body) {
  out.open('{');
  in_order_of_names<B>([&](const auto& row) {
    const auto* value = shown_value(row, body);
    if (value == nullptr) return;
    out.key(row.name);
    row.type.write(out, *value);
  });
  out.close('}');
}

template <class B>
[[nodiscard]] json::Value object_json(const B& body) {
  json::Object object;
  object.reserve(row_count<B>);
  in_order_of_names<B>([&](const auto& row) {
    const auto* value = shown_value(row, body);
    if (value != nullptr) object.emplace(row.name, row.type.json(*value));
  });
  return object;
}

template <class B>
[[nodiscard]] Result<B> read_described(const json::Value& value) {
  B out;
  Problem problem = read_object(value, out);
  if (problem)
    return tl::unexpected<Error>(error_of(Description<B>::name, Description<B>::errc, *problem));
  return out;
}

template <class B>
Result<ComposedBody> compose(const B& body) {
  if (Problem problem = check_object(body))
    return tl::unexpected<Error>(error_of(Description<B>::name, Description<B>::errc, *problem));
  constexpr std::size_t body_bytes_usual = 1536;
  std::string text;
  text.reserve(body_bytes_usual);
  TextWriter out(text);
  write_object(out, body);
  return ComposedBody(Description<B>::kind, std::move(text));
}

/// How the page says when a member is there.
template <class Row>
[[nodiscard]] std::string presence_words(const Row& row) {
  if constexpr (std::is_same_v<typename Row::Presence, Perhaps>) return "optional";
  if constexpr (requires { row.presence.words; }) return std::string(row.presence.words);
  return {};
}

/// The rows of a page: members in the description's order, those of lists inside behind theirs.
template <class B>
void add_members(std::vector<MemberText>& out, const std::string& before) {
  const auto add = [&](const auto& row) {
    const std::string name = before + std::string(row.name);
    out.push_back({name, row.type.words(), presence_words(row), std::string(row.meaning)});
    if constexpr (requires { row.type.add_inner(out, name); }) row.type.add_inner(out, name);
  };
  std::apply([&](const auto&... row) { (add(row), ...); }, Description<B>::rows);
}

template <class B>
MemberTable members_of() {
  MemberTable table;
  add_members<B>(table.members, {});
  for (const Rule<B>& rule : Description<B>::rules)
    table.rules.push_back({std::string(rule.name), std::string(rule.words)});
  return table;
}

}  // namespace talla::certs
