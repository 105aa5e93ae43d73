/// \file
/// Who waits for an answer: keyed requests until their records are durable, the others until their
/// turn ends.
///
/// Threads: the sequencer's.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "appliance.hpp"
#include "core/request.hpp"

namespace talla::core {

class Replies {
 public:
  /// The reply to a request that makes no record, or its refusal.
  struct Plain {
    Answer answer;
    Reply reply;
  };
  /// What one group makes answerable.
  struct Answers {
    std::vector<certs::StoredReply> finished;
    std::vector<Plain> plain;
  };

  explicit Replies(Appliance& appliance) : appliance_(appliance) {}

  /// Not before the turn ends, or where groups are in the air not before the last of them is
  /// durable.
  void answer_now(Answer answer, Reply reply);
  /// True when the key is known: the stored reply, a join of those who wait for it, or a refusal is
  /// on its way. `answer` is left as it was otherwise.
  [[nodiscard]] bool known_key(Answer& answer, const certs::ReplyKey& id, const Digest& request);
  /// Whoever else asks with this key is answered together.
  void wait(const certs::ReplyKey& id, const Digest& request, Answer answer);
  /// Those who wait are told so at once; later ones with the same key wait again.
  void answer_waiting(const certs::ReplyKey& id, const Digest& request, const Reply& reply);
  /// The reply goes into the running group, under its key, and to those who wait when it is
  /// durable.
  void store(const certs::ReplyKey& id, const Digest& request, int status, json::Object body,
             const std::vector<std::uint64_t>& seqs);

  /// Replies of the running group so far.
  [[nodiscard]] std::size_t finished() const { return now_.finished.size(); }
  /// What the running group makes answerable; nothing is left.
  [[nodiscard]] Answers take();
  /// What needs no record of its own, of the running group; it is left without.
  [[nodiscard]] std::vector<Plain> take_plain();
  /// Their group is durable.
  void give(Answers answers);
  static void give(std::vector<Plain> plain);
  /// Everybody who waits, and those who waited for `flying`, are told that nothing is known.
  void fail(std::vector<Answers> flying);

 private:
  /// A keyed request under way, with everybody who waits for its reply.
  struct Running {
    Digest request{};
    std::vector<Answer> answers;
  };
  struct KeyHash {
    std::size_t operator()(const certs::ReplyKey& id) const {
      const std::hash<std::string_view> hash;
      return hash(id.key) ^ (hash(id.client) * 31);
    }
  };

  Appliance& appliance_;
  std::unordered_map<certs::ReplyKey, Running, KeyHash> running_;
  Answers now_;
};

/// Of a request whose records may or may not be there: the service has failed.
[[nodiscard]] Reply failed_reply();

}  // namespace talla::core
