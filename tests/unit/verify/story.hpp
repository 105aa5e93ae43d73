/// \file
/// A sealed shoe and a batch as an appliance keeps them, from fixed secrets; they log what they do.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "format/body_draw.hpp"
#include "format/body_shoe.hpp"
#include "format/mix.hpp"
#include "format/openings.hpp"
#include "format/release_format.hpp"
#include "format/shoe_format.hpp"
#include "log_builder.hpp"
#include "panel.hpp"
#include "scenes.hpp"
#include "shuffle/card.hpp"

namespace talla::certs::test {

[[nodiscard]] Context story_context(const SceneOptions& options);

/// TABLE_OPEN of a client that settles itself; gives the table's id.
std::string open_client_table(LogBuilder& log, Context& context, json::Value parameters,
                              std::uint32_t candidates = 1);

struct ShoePlan {
  std::string deck;
  std::uint64_t number = 1;
  std::uint32_t stop_depth = 0;
  Context context;
  bool covered = false;  ///< disclosure class
  std::uint32_t candidates = 1;
  /// Changes the cards of candidate i before they are shuffled.
  std::function<void(std::uint32_t, Bytes&)> lie{};
  /// The candidate whose secrets this one has.
  std::function<std::uint32_t(std::uint32_t)> secrets_of{};
};

class Shoe {
 public:
  /// A dealt card: under which root (SHOE_RECOMMITs before it) and where.
  struct At {
    std::uint32_t recommits = 0;
    std::uint32_t position = 0;
  };
  /// What goes back at a shuffle.
  struct Back {
    std::vector<std::uint32_t> returned;
    std::vector<OlderCards> older{};
    std::function<void(Bytes&)> lie{};  ///< changes the cards before they are shuffled
  };

  Shoe(LogBuilder& log, const std::string& table, const ShoePlan& plan);
  /// CALL and SHOE_MIX: of the whole root, or of what is left of it.
  void mix() { call_mix(), answer_mix(); }
  /// CALL alone.
  void call_mix() { call_ = called(); }
  /// Its SHOE_MIX; `kept`: what is dealt then goes on as it was.
  void answer_mix(bool kept = false);
  /// CALL and VOID: these did not open.
  std::uint64_t withheld(const std::vector<std::string>& missing);
  /// CALL and VOID by order.
  std::uint64_t voided();
  /// VOID of a core of its mix that became no CALL: it said another head.
  void lapse();
  /// Deals the next position; its card when it is open. A covered card is for nobody.
  std::optional<shuffle::Card> deal(const std::string& place, Face face, const std::string& round,
                                    std::vector<std::uint64_t> cites = {});
  /// Deals the next leaf of a root that is not mixed, as if that were the order.
  void deal_unmixed(const std::string& place);
  /// CARD_OPEN, of a replaced root too.
  void open(const At& at, const std::string& place);
  /// SHOE_RECOMMIT; its mix is the caller's.
  void shuffle_again(const Back& back);
  /// SHOE_RELEASE of the newest root to the machine, and its SHUFFLE_REPORT of a match.
  void release(ReleaseForm form = ReleaseForm::order);
  void report(ReleaseForm form = ReleaseForm::order, const ReportLie& lie = {});
  std::uint64_t close(ShoeCloseReason reason = ShoeCloseReason::closed);
  [[nodiscard]] Openings openings(std::uint64_t closed) const;
  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] std::uint32_t cards() const { return now().commit.cards; }
  [[nodiscard]] std::uint32_t stop_depth() const { return now().commit.stop_depth; }

 private:
  struct Root {
    ShoeCommitBody commit;
    Digest key{};
    Bytes tape;
    std::uint64_t words_used = 0;
    std::uint64_t words_rejected = 0;
    Bytes order;
    std::unique_ptr<ShoeKey> keyed;
    MerkleTree tree;
    Mix mix;
    std::uint32_t next = 0;
    [[nodiscard]] std::uint8_t at(std::uint32_t position) const { return order[mix[position]]; }
  };
  LogBuilder::Called called();
  /// A root over these cards, from fixed secrets of its own name.
  Root made(const Bytes& cards, ShoeCommitBody terms, const std::string& name);
  LogBuilder::Wish wish() const;
  void seal_several(const ShoePlan& plan, const Bytes& cards, const ShoeCommitBody& terms);
  /// What the tape picks is the shoe from here on.
  void pick(ShoeMixBody& body, std::uint32_t picked);
  [[nodiscard]] const Root& now() const { return roots_.back(); }
  [[nodiscard]] CardOpening opening(const Root& root, std::uint32_t position) const;
  [[nodiscard]] ShoeDisclosure disclosure(const Root& root) const;

  LogBuilder& log_;
  std::string id_;
  std::vector<Root> roots_;       // the newest last
  std::vector<Root> candidates_;  // until one is picked
  bool several_ = false;
  bool released_ = false;
  /// The machine that its order is released to.
  struct Machine {
    Machine() { keys.join(id, "of the machine"); }
    std::string id = "urn:talla:shuffler-1";
    Panel keys;
    std::uint64_t release = 0;  ///< the newest SHOE_RELEASE
    Digest head{};              ///< of the table with it
  };
  Machine machine_;
  LogBuilder::Called call_{};
};

class Batch {
 public:
  Batch(LogBuilder& log, const std::string& table, std::uint32_t count, const Context& context);
  /// CALL and DRAW; gives the seq of the DRAW.
  std::uint64_t draw(const DrawSpecification& specification);
  /// CALL and VOID by order, behind which these had opened.
  std::uint64_t void_next(const DrawSpecification& specification,
                          const std::vector<std::string>& opened = {});
  /// CALL and VOID: these did not open, in the time that they had and `us` more.
  std::uint64_t withheld(const DrawSpecification& specification,
                         const std::vector<std::string>& missing, std::int64_t us = 0);
  /// VOID of a core that became no CALL: `change` says what it says wrongly. Its secret is opened
  /// and spent, or `kept` closed.
  std::uint64_t lapse(const DrawSpecification& specification,
                      const std::function<void(CallCore&)>& change, bool kept = false);
  /// CALL alone.
  void call(const DrawSpecification& specification) { pending(specification); }
  std::uint64_t close();
  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const Outcome& last_outcome() const { return last_; }

 private:
  struct Pending {
    LogBuilder::Called call;
    std::vector<CallOpening> openings;
    DrawResult result;
  };
  Pending pending(const DrawSpecification& specification);

  LogBuilder& log_;
  std::string id_;
  BatchCommitBody commit_;
  std::vector<Digest> secrets_;
  MerkleTree tree_;
  std::uint32_t next_ = 0;
  Outcome last_;
};

}  // namespace talla::certs::test
