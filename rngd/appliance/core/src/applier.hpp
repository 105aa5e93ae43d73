/// \file
/// One record on its way into the world, one class for each kind of object and one function for
/// each kind of record: tables and rounds in apply.cpp, shoes in apply_shoe.cpp, batches and draws
/// in apply_draw.cpp, meters in apply_meter.cpp. Only `apply` makes one.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "apply.hpp"
#include "core/errc.hpp"
#include "editing.hpp"
#include "format/record.hpp"
#include "play.hpp"

namespace talla::core {

/// What all of them share: the record, and the objects that it belongs to.
class Applier {
 public:
  struct Input {
    const certs::Record& record;
    const Secrets& secrets;
    const TypedBody& typed;
  };
  Applier(const ApplyContext& context, Overlay& world, const Input& input)
      : context_(context),
        edit_(world),
        record_(input.record),
        secrets_(input.secrets),
        typed_(input.typed) {}

  /// The record is the newest of its table's chain.
  void take_head(const Digest& leaf);

 protected:
  /// Heads of a table that are kept: a call that rests on an older one is refused.
  static constexpr std::size_t heads_max = 64;

  /// The record has this core, whether it is a CALL or not: the next turn of its table, which the
  /// caller counts.
  Result<Table*> call_made(const certs::CallCore& core);
  /// The record ends the open call of its table, without a result.
  static void call_void(Table& table, const certs::VoidBody& body);
  /// The open round that a call is made for; null: none.
  Result<Round*> round_of_call(const certs::CallCore& core);
  /// A new object whose opening record this is.
  template <class T>
  [[nodiscard]] T opened(std::string_view object_class) const {
    T object;
    object.seq = record_.seq;
    object.last_seq = record_.seq;
    object.id = certs::object_id(object_class, record_.seq);
    return object;
  }
  template <class Body>
  [[nodiscard]] Result<Body> body() const {
    if (const auto* made = std::get_if<Body>(&typed_)) return *made;
    return Body::from_json(record_.body);
  }
  [[nodiscard]] std::string client() const {
    return record_.client ? record_.client->id : std::string();
  }

  /// The object the record belongs to, for writing, its newest record set to this one.
  Result<Table*> own_table() { return own<Table>("table", &Editing::table); }
  Result<Shoe*> own_shoe() { return own<Shoe>("shoe", &Editing::shoe); }
  Result<Batch*> own_batch() { return own<Batch>("batch", &Editing::batch); }
  Result<SharedMeter*> own_meter() { return own<SharedMeter>("meter", &Editing::meter); }
  Result<Round*> own_round() { return own<Round>("round", &Editing::round); }
  template <class T>
  Result<T*> own(std::string_view object_class, T* (Editing::*edit)(ObjectSeq)) {
    TALLA_TRY(const auto seq, certs::object_seq(object_class, record_.object));
    T* object = (edit_.*edit)(seq);
    if (object == nullptr) return fail(Errc::replay_failed, "unknown object");
    if (record_.seq <= object->last_seq)
      return fail(Errc::replay_failed, "not behind the newest record");
    object->last_seq = record_.seq;
    return object;
  }
  Result<Table*> named_table(const std::string& id) {
    TALLA_TRY(const auto seq, certs::object_seq("table", id));
    return table_at(seq);
  }
  Result<Table*> table_at(ObjectSeq seq) {
    Table* table = edit_.table(seq);
    if (table == nullptr) return fail(Errc::replay_failed, "unknown table");
    return table;
  }
  Round* live_round(const Table& table) {
    return table.live_round ? edit_.round(*table.live_round) : nullptr;
  }

  const ApplyContext& context_;
  Editing edit_;
  const certs::Record& record_;
  const Secrets& secrets_;
  const TypedBody& typed_;
};

/// Tables, rounds, and the machine's records.
class TableApplier : public Applier {
 public:
  using Applier::Applier;
  Status run();

 private:
  [[nodiscard]] Result<games::State> first_state(const Table& table,
                                                 const certs::TableOpenBody& body) const;
  Status table_open();
  Status table_close();
  Status round_open();
  Status bets_closed();
  Status action();
  Status misdeal();
  Status hand_confirmed();
  Status settlement();
  Status round_end();
  Status health();
};

class MeterApplier : public Applier {
 public:
  using Applier::Applier;
  Status run();

 private:
  Status meter_open();
  Status meter_close();
  Status meter();
  Status shared_meter(certs::MeterBody body);
  Status move_meter(const certs::MeterBody& body);
};

class ShoeApplier : public Applier {
 public:
  using Applier::Applier;
  Status run();

 private:
  Status shoe_commit();
  Status shoe_recommit();
  Status call();
  Status void_call();
  Status shoe_mix();
  Status pick(Shoe& shoe, const certs::ShoeMixBody& body);
  Status card_deal();
  Status lay_card(Table& table, Shoe& shoe, const certs::CardDealBody& body);
  Status card_open();
  Status shoe_release();
  Status shuffle_report();
  Status shoe_close();
};

class DrawApplier : public Applier {
 public:
  using Applier::Applier;
  Status run();

 private:
  Status batch_commit();
  Status call();
  template <class Body>
  Result<std::optional<ObjectSeq>> end_call(const Body& body, std::uint64_t seq);
  Status draw();
  Status void_call();
  Status lapsed(const certs::VoidBody& body);
  Status batch_close();
};

}  // namespace talla::core
