// Values of the interface, checked and described by one and the same schema.
#include "schema.hpp"

#include <algorithm>
#include <utility>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "format/record.hpp"

namespace talla::core {

/// One kind of values.
class SchemaKind {
 public:
  SchemaKind() = default;
  SchemaKind(const SchemaKind&) = delete;
  SchemaKind& operator=(const SchemaKind&) = delete;
  virtual ~SchemaKind() = default;
  [[nodiscard]] virtual std::optional<Misfit> misfit(const json::Value& value) const = 0;
  [[nodiscard]] virtual json::Object to_json(json::Object& components) const = 0;
};

std::optional<Misfit> misfit(const Schema& schema, const json::Value& value) {
  if (schema.empty_too_ && value.is_string() && value.string().empty()) return {};
  auto found = schema.kind_->misfit(value);
  if (found && !found->errc) found->errc = schema.errc_;
  return found;
}

namespace {

using Fit = std::optional<Misfit>;

Fit misfit_of(std::string expected) {
  return Misfit{{}, std::move(expected), {}};
}
Fit fits_if(bool fits, const char* expected) {
  return fits ? Fit() : misfit_of(expected);
}
/// The same, of what lies below.
Fit below(const std::string& name, Fit found) {
  const bool item = found->path.starts_with('[');
  found->path = name + (found->path.empty() || item ? "" : ".") + found->path;
  return found;
}

std::string range_of(std::size_t min, std::size_t max) {
  return min == max ? std::to_string(min) : std::to_string(min) + " to " + std::to_string(max);
}

class WholeNumber final : public SchemaKind {
 public:
  WholeNumber(std::int64_t min, std::int64_t max) : min_(min), max_(max) {}
  [[nodiscard]] Fit misfit(const json::Value& value) const override {
    if (!value.is_integer()) return misfit_of("an integer is expected");
    if (value.integer() >= min_ && value.integer() <= max_) return {};
    return misfit_of("must be from " + std::to_string(min_) + " to " + std::to_string(max_));
  }
  [[nodiscard]] json::Object to_json(json::Object& /*components*/) const override {
    return {{"type", "integer"}, {"minimum", min_}, {"maximum", max_}};
  }

 private:
  std::int64_t min_;
  std::int64_t max_;
};

class Characters final : public SchemaKind {
 public:
  Characters(std::size_t min, std::size_t max) : min_(min), max_(max) {}
  [[nodiscard]] Fit misfit(const json::Value& value) const override {
    if (!value.is_string()) return misfit_of("a string is expected");
    if (value.string().size() >= min_ && value.string().size() <= max_) return {};
    return misfit_of("expected " + range_of(min_, max_) + " characters");
  }
  [[nodiscard]] json::Object to_json(json::Object& /*components*/) const override {
    json::Object out{{"type", "string"}};
    if (min_ != 0) out["minLength"] = min_;
    if (max_ != Schema::text_max) out["maxLength"] = max_;
    return out;
  }

 private:
  std::size_t min_;
  std::size_t max_;
};

class HexBytes final : public SchemaKind {
 public:
  HexBytes(std::size_t min, std::size_t max) : min_(min), max_(max) {}
  [[nodiscard]] Fit misfit(const json::Value& value) const override {
    if (!value.is_string()) return misfit_of("a string is expected");
    const auto& text = value.string();
    const auto digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    if (text.size() % 2 == 0 && text.size() >= 2 * min_ && text.size() <= 2 * max_ &&
        std::ranges::all_of(text, digit))
      return {};
    return misfit_of("expected " + range_of(min_, max_) + " bytes in lower-case hex");
  }
  [[nodiscard]] json::Object to_json(json::Object& /*components*/) const override {
    const auto digits = [](std::size_t bytes) { return std::to_string(2 * bytes); };
    if (min_ == max_) return {{"type", "string"}, {"pattern", "^[0-9a-f]{" + digits(min_) + "}$"}};
    return {
        {"type", "string"},
        {"pattern", "^([0-9a-f]{2}){" + std::to_string(min_) + "," + std::to_string(max_) + "}$"}};
  }

 private:
  std::size_t min_;
  std::size_t max_;
};

class Base64Bytes final : public SchemaKind {
 public:
  [[nodiscard]] Fit misfit(const json::Value& value) const override {
    return fits_if(value.is_string() && from_base64(value.string()), "expected base64");
  }
  [[nodiscard]] json::Object to_json(json::Object& /*components*/) const override {
    return {{"type", "string"}, {"contentEncoding", "base64"}};
  }
};

class ObjectId final : public SchemaKind {
 public:
  explicit ObjectId(std::string object_class) : class_(std::move(object_class)) {}
  [[nodiscard]] Fit misfit(const json::Value& value) const override {
    if (value.is_string() && certs::object_seq(class_, value.string())) return {};
    return misfit_of("expected an id like " + class_ + "-7");
  }
  [[nodiscard]] json::Object to_json(json::Object& /*components*/) const override {
    return {{"type", "string"}, {"pattern", "^" + class_ + "-(0|[1-9][0-9]*)$"}};
  }

 private:
  std::string class_;
};

class Words final : public SchemaKind {
 public:
  explicit Words(std::vector<std::string> words) : words_(std::move(words)) {}
  [[nodiscard]] Fit misfit(const json::Value& value) const override {
    if (value.is_string() && std::ranges::find(words_, value.string()) != words_.end()) return {};
    std::string all;
    for (std::size_t i = 0; i < words_.size(); ++i)
      all += (i == 0 ? "" : i + 1 == words_.size() ? " or " : ", ") + words_[i];
    return misfit_of("expected " + all);
  }
  [[nodiscard]] json::Object to_json(json::Object& /*components*/) const override {
    return {{"type", "string"}, {"enum", json::Array(words_.begin(), words_.end())}};
  }

 private:
  std::vector<std::string> words_;
};

class Flag final : public SchemaKind {
 public:
  [[nodiscard]] Fit misfit(const json::Value& value) const override {
    return fits_if(value.is_bool(), "true or false is expected");
  }
  [[nodiscard]] json::Object to_json(json::Object& /*components*/) const override {
    return {{"type", "boolean"}};
  }
};

class Constant final : public SchemaKind {
 public:
  explicit Constant(json::Value value) : value_(std::move(value)) {}
  [[nodiscard]] Fit misfit(const json::Value& value) const override {
    if (value == value_) return {};
    return misfit_of("expected " +
                     (value_.is_string() ? value_.string() : json::canonical(value_)));
  }
  [[nodiscard]] json::Object to_json(json::Object& /*components*/) const override {
    return {{"const", value_}};
  }

 private:
  json::Value value_;
};

class List final : public SchemaKind {
 public:
  List(Schema items, std::size_t min, std::size_t max)
      : items_(std::move(items)), min_(min), max_(max) {}
  [[nodiscard]] Fit misfit(const json::Value& value) const override {
    if (!value.is_array()) return misfit_of("an array is expected");
    const auto& items = value.array();
    if (items.size() < min_ || items.size() > max_)
      return misfit_of("expected " + range_of(min_, max_) + " items");
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (auto found = core::misfit(items_, items[i]))
        return below("[" + std::to_string(i) + "]", std::move(found));
    }
    return {};
  }
  [[nodiscard]] json::Object to_json(json::Object& components) const override {
    json::Object out{{"type", "array"}, {"items", items_.to_json(components)}};
    if (min_ != 0) out["minItems"] = min_;
    if (max_ != Schema::list_max) out["maxItems"] = max_;
    return out;
  }

 private:
  Schema items_;
  std::size_t min_;
  std::size_t max_;
};

class Members final : public SchemaKind {
 public:
  Members(std::vector<SchemaMember> members, bool open)
      : members_(std::move(members)), open_(open) {}
  [[nodiscard]] Fit misfit(const json::Value& value) const override {
    if (!value.is_object()) return misfit_of("an object is expected");
    std::size_t known = 0;
    for (const auto& one : members_) {
      const auto* member = value.find(one.name);
      if (member == nullptr && one.required) return below(one.name, misfit_of("is missing"));
      if (member == nullptr) continue;
      ++known;
      if (auto found = core::misfit(one.schema, *member)) return below(one.name, std::move(found));
    }
    if (open_ || known == value.object().size()) return {};
    const auto unknown = std::ranges::find_if(value.object(), [&](const auto& member) {
      return std::ranges::find(members_, member.first, &SchemaMember::name) == members_.end();
    });
    return below(unknown->first.substr(0, 40), misfit_of("is not known here"));
  }
  [[nodiscard]] json::Object to_json(json::Object& components) const override {
    json::Object properties;
    json::Array required;
    for (const auto& one : members_) {
      properties[one.name] = one.schema.to_json(components);
      if (one.required) required.emplace_back(one.name);
    }
    json::Object out{{"type", "object"}};
    if (!open_) out["additionalProperties"] = false;
    if (!properties.empty()) out["properties"] = std::move(properties);
    if (!required.empty()) out["required"] = std::move(required);
    return out;
  }
  [[nodiscard]] std::shared_ptr<const Members> with(std::vector<SchemaMember> more) const {
    auto all = members_;
    std::ranges::move(more, std::back_inserter(all));
    return std::make_shared<const Members>(std::move(all), open_);
  }

 private:
  std::vector<SchemaMember> members_;
  bool open_;
};

class Named final : public SchemaKind {
 public:
  Named(std::string name, Schema what) : name_(std::move(name)), what_(std::move(what)) {}
  [[nodiscard]] Fit misfit(const json::Value& value) const override {
    return core::misfit(what_, value);
  }
  [[nodiscard]] json::Object to_json(json::Object& components) const override {
    if (!components.contains(name_)) {
      components[name_] = json::Object{};  // one that names itself ends here
      auto text = what_.to_json(components);
      components[name_] = std::move(text);
    }
    return {{"$ref", "#/components/schemas/" + name_}};
  }

 private:
  std::string name_;
  Schema what_;
};

class Map final : public SchemaKind {
 public:
  explicit Map(Schema values) : values_(std::move(values)) {}
  [[nodiscard]] Fit misfit(const json::Value& value) const override {
    if (!value.is_object()) return misfit_of("an object is expected");
    for (const auto& [name, member] : value.object()) {
      if (auto found = core::misfit(values_, member))
        return below(name.substr(0, 40), std::move(found));
    }
    return {};
  }
  [[nodiscard]] json::Object to_json(json::Object& components) const override {
    return {{"type", "object"}, {"additionalProperties", values_.to_json(components)}};
  }

 private:
  Schema values_;
};

class Either final : public SchemaKind {
 public:
  explicit Either(std::vector<Schema> forms) : forms_(std::move(forms)) {}
  /// Of what fits none of them: what all forms expect of the member at which it fits none, or why
  /// it is not the form that it comes nearest to, which is the first one that it fits but for one
  /// missing or wrong member.
  [[nodiscard]] Fit misfit(const json::Value& value) const override {
    Fit nearest;
    std::string all;
    bool one_member = true;
    for (const auto& form : forms_) {
      auto found = core::misfit(form, value);
      if (!found) return {};
      one_member = one_member && found->expected.starts_with(expected_word) &&
                   (!nearest || nearest->path == found->path);
      if (one_member)
        all += (nearest ? ", " : "") + found->expected.substr(nearest ? expected_word.size() : 0);
      if (!nearest || rank(*found) > rank(*nearest)) nearest = std::move(found);
    }
    if (one_member && nearest) nearest->expected = std::move(all);
    return nearest;
  }
  [[nodiscard]] json::Object to_json(json::Object& components) const override {
    json::Array all;
    for (const auto& form : forms_) all.push_back(form.to_json(components));
    return {{"oneOf", std::move(all)}};
  }

 private:
  /// Deeper is nearer; a member that is not known there, or one that tells the forms apart, is far.
  static std::size_t rank(const Misfit& found) {
    const bool other = found.expected == "is not known here" || found.expected == "is missing";
    return 2 * static_cast<std::size_t>(std::ranges::count(found.path, '.')) + (other ? 0 : 1);
  }
  static constexpr std::string_view expected_word = "expected ";
  std::vector<Schema> forms_;
};

}  // namespace

Schema Schema::integer(std::int64_t min, std::int64_t max) {
  return Schema(std::make_shared<const WholeNumber>(min, max));
}
Schema Schema::text(std::size_t min, std::size_t max) {
  return Schema(std::make_shared<const Characters>(min, max));
}
Schema Schema::hex(std::size_t bytes_min, std::size_t bytes_max) {
  return Schema(std::make_shared<const HexBytes>(bytes_min, bytes_max));
}
Schema Schema::base64() {
  return Schema(std::make_shared<const Base64Bytes>());
}
Schema Schema::id(std::string object_class) {
  return Schema(std::make_shared<const ObjectId>(std::move(object_class)));
}
Schema Schema::one_of(std::vector<std::string> words) {
  return Schema(std::make_shared<const Words>(std::move(words)));
}
Schema Schema::flag() {
  return Schema(std::make_shared<const Flag>());
}
Schema Schema::exactly(json::Value value) {
  return Schema(std::make_shared<const Constant>(std::move(value)));
}
Schema Schema::list(Schema items, std::size_t min, std::size_t max) {
  return Schema(std::make_shared<const List>(std::move(items), min, max));
}
Schema Schema::object(std::vector<SchemaMember> members) {
  return Schema(std::make_shared<const Members>(std::move(members), false));
}
Schema Schema::open_object(std::vector<SchemaMember> members) {
  return Schema(std::make_shared<const Members>(std::move(members), true));
}
Schema Schema::open_object() {
  return open_object({});
}
Schema Schema::map(Schema values) {
  return Schema(std::make_shared<const Map>(std::move(values)));
}
Schema Schema::either(std::vector<Schema> forms) {
  return Schema(std::make_shared<const Either>(std::move(forms)));
}
Schema Schema::named(std::string name, const Schema& what) {
  return Schema(std::make_shared<const Named>(std::move(name), what));
}

Schema Schema::about(std::string words) const {
  Schema out = *this;
  out.words_ = std::move(words);
  return out;
}
Schema Schema::or_empty() const {
  Schema out = *this;
  out.empty_too_ = true;
  return out;
}
Schema Schema::otherwise(json::Value value) const {
  Schema out = *this;
  out.otherwise_ = std::move(value);
  return out;
}
Schema Schema::refused_as(Errc errc) const {
  Schema out = *this;
  out.errc_ = errc;
  return out;
}
Schema Schema::with(std::vector<SchemaMember> members) const {
  const auto* object = dynamic_cast<const Members*>(kind_.get());
  TALLA_CHECK(object != nullptr);
  Schema out = *this;
  out.kind_ = object->with(std::move(members));
  return out;
}

Status Schema::check(const json::Value& value, const std::string& path) const {
  auto found = misfit(*this, value);
  if (!found) return {};
  if (!path.empty()) found = below(path, std::move(found));
  return fail(found->errc.value_or(Errc::malformed_request),
              (found->path.empty() ? "" : found->path + ": ") + found->expected);
}

json::Value Schema::to_json(json::Object& components) const {
  json::Object out = kind_->to_json(components);
  if (empty_too_)
    out = json::Object{{"oneOf", json::Array{std::move(out), json::Object{{"const", ""}}}}};
  if (!words_.empty()) out["description"] = words_;
  if (otherwise_) out["default"] = *otherwise_;
  return out;
}

}  // namespace talla::core
