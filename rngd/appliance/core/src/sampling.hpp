/// \file
/// What two persons order for one laboratory: samples that are set aside beside play, and outcomes
/// of a table of class `lab`, at which nobody plays (format/lab_table.hpp).
///
/// Bits come from the generator's outlet, which never feeds a draw; raw samples leave their source
/// in runs of 4,096, so that nothing else is made of them. Both come slowly, while there are some
/// to spare. Outcomes are mapped from such bits by the functions of play; no table, round, monitor
/// or month knows of them.
/// Begins:  when the confirmation is durable. Given: once the ACCESS with their SHA-256 is.
/// Fails:   by a latch, a restart, a laboratory no longer enrolled, a day without an end; wiped.
/// Secrecy: SecretBytes, until the next order, a restart, or a day later; one order at a time.
/// Threads: the sequencer's.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "act.hpp"
#include "command.hpp"
#include "duty.hpp"
#include "format/lab_table.hpp"
#include "route.hpp"

namespace talla::core {

/// Bytes of one reply that gives some of them.
inline constexpr std::size_t piece_bytes = 65'536;
/// Characters of what is ordered, such as `lab/es-1977/french-roulette/wheel-37`.
inline constexpr std::size_t samples_name_most = 256;

/// The `object` of the order that a request asks for. Errors: malformed_request, catalogue_unknown
/// and those of games (a table that there is not; it says which one there is).
[[nodiscard]] Result<std::string> sampling_object(const Call& call);
/// Whether the order could be carried out now. Errors: wrong_state (sampling is off, another order
/// is under way, the client is no laboratory), not_found (nobody of that id, no such source),
/// entropy_latched.
[[nodiscard]] Status sampling_possible(const Call& call, const Act& act);

class Sampling : public Duty {
 public:
  explicit Sampling(Appliance& appliance) : appliance_(appliance) {}

  /// An order that a stop or a crash interrupted has failed.
  [[nodiscard]] Status end_interrupted();
  /// How far the order of that id is, and once it is done the piece at `offset`. Errors: not_found
  /// (also for whoever is not its laboratory), malformed_request (no sample is there).
  [[nodiscard]] Result<json::Object> view(const Client& client, std::string_view act,
                                          std::int64_t offset) const;

  /// Takes what may go now.
  void on_pause() override;
  void on_written(std::uint64_t group) override;
  void on_durable(std::uint64_t group) override;

 private:
  struct Order {
    std::uint64_t act = 0;  // seq
    std::string id;
    certs::SampleOrder wish;
    std::string spki;  // of the laboratory, when it was confirmed
    ActStage stage = ActStage::confirmed;
    SecretBytes taken{};                  // what the laboratory gets
    std::int64_t until_ns = 0;            // then it fails or, done, its samples are wiped
    std::int64_t next_ns = 0;             // nothing is taken before
    std::optional<std::size_t> source{};  // of raw samples
    std::optional<certs::LabTable> table{};
    std::optional<Digest> asked{};  // leaf hash of the ACCESS that asked
    SecretBytes bits{};             // of outcomes that are not mapped yet
    std::size_t wanted = 0;         // of them, for the next one
    std::int64_t made = 0;          // outcomes
    std::optional<Digest> digest{};
    std::uint64_t ended = 0;  // seq of the ACCESS that ended it
  };
  void begin(const Act& act);
  [[nodiscard]] bool must_fail(std::int64_t now_ns) const;
  void take(std::int64_t now_ns);
  /// Bytes that are still to be taken; at least, where words of a shoe may be refused.
  [[nodiscard]] std::size_t bytes_left() const;
  [[nodiscard]] bool whole() const;
  [[nodiscard]] SecretBytes next_bits(std::size_t left) const;
  /// All outcomes that the bits are enough for. Errors: the tape's.
  [[nodiscard]] Status map_outcomes();
  void end(ActStage stage);

  Appliance& appliance_;
  std::optional<std::uint64_t> due_with_;  // the group behind which a confirmed order begins
  std::optional<Order> order_;             // the newest one
};

}  // namespace talla::core
