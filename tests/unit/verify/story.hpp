/// \file
/// A sealed shoe and a batch as an appliance keeps them, from fixed secrets; they log what they do.
#pragma once

#include <string>
#include <vector>

#include "format/body_draw.hpp"
#include "format/body_shoe.hpp"
#include "format/shoe_format.hpp"
#include "log_builder.hpp"
#include "scenes.hpp"
#include "shuffle/card.hpp"

namespace talla::certs::test {

[[nodiscard]] Context story_context(const SceneOptions& options);

struct ShoePlan {
  std::string deck;
  std::uint64_t number = 1;
  std::uint32_t stop_depth = 0;
  Context context;
};

class Shoe {
 public:
  Shoe(LogBuilder& log, const std::string& table, const ShoePlan& plan);
  void cut();
  /// Deals the next position; its card when it is open.
  std::optional<shuffle::Card> deal(const std::string& place, Face face, const std::string& round,
                                    std::vector<std::uint64_t> cites = {});
  std::uint64_t close();
  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] std::uint32_t cards() const { return commit_.cards; }

 private:
  LogBuilder& log_;
  std::string id_;
  ShoeCommitBody commit_;
  Digest key_{};
  Digest secret_{};
  Bytes tape_;
  std::uint64_t words_used_ = 0;
  std::uint64_t words_rejected_ = 0;
  Bytes order_;
  std::unique_ptr<ShoeKey> keyed_;
  MerkleTree tree_;
  std::uint32_t offset_ = 0;
  std::uint32_t next_ = 0;
};

struct BatchRound {
  std::string round = "0";
  Digest bets{};
  std::vector<std::uint64_t> cites;
};

class Batch {
 public:
  Batch(LogBuilder& log, const std::string& table, std::uint32_t count, const Context& context);
  /// INTENT and DRAW; gives the seq of the DRAW.
  std::uint64_t draw(const DrawSpecification& specification, const BatchRound& round);
  /// INTENT and VOID by order.
  std::uint64_t void_next(const DrawSpecification& specification, const BatchRound& round);
  std::uint64_t close();
  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const Outcome& last_outcome() const { return last_; }

 private:
  struct Pending {
    IntentBody intent;
    std::uint64_t seq;
    DrawResult result;
  };
  Pending intent(const DrawSpecification& specification, const BatchRound& round);

  LogBuilder& log_;
  std::string id_;
  std::string table_;
  BatchCommitBody commit_;
  std::vector<Digest> secrets_;
  MerkleTree tree_;
  std::uint32_t next_ = 0;
  Outcome last_;
};

}  // namespace talla::certs::test
