/// \file
/// Results of a game from a stated seed, by the functions that the appliance draws with
/// (certs::map_draw, shuffle::shuffle_again), without keys, log or noise. Nothing may be played
/// with them: whoever has the seed has them all.
///
/// Source:  HMAC_DRBG of SHA-512, instantiated with SHA-512("talla-lab sample v1" || seed) and the
///          personalisation `CATALOGUE GAME PARAMETERS` (canonical JSON). A draw asks for 64 bytes,
///          secret and digest of a call, and has no contributors; a shoe asks for the bytes of its
///          shuffle, and for 8 more as often as a word was refused.
/// Errors:  SampleErrc::sample_refused; those of catalogues and tables.
/// Threads: one object, one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/secret.hpp"
#include "format/draw_format.hpp"
#include "games/need.hpp"
#include "shuffle/card.hpp"

namespace talla::entropy {
class Drbg;
}

namespace talla::lab {

enum class SampleErrc : std::uint16_t {
  sample_refused = 869,  ///< A seed, count or game that cannot be sampled.
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(SampleErrc errc);

/// Which results.
struct SampleWish {
  std::string catalogue;
  std::string game;
  json::Value parameters = json::Object{};  ///< as a table takes them; missing ones: the defaults
  std::string seed;                         ///< 64 hex digits in small letters
  std::uint32_t first = 0;                  ///< cards of a shoe that are written; 0: all
  bool draw = false;                        ///< the draw of a game that has a shoe too
};

/// The results of one wish, one after the other.
class Sampler {
 public:
  /// Errors: no such game, a parameter or seed that is none, `first` or `draw` for what has none.
  [[nodiscard]] static Result<Sampler> open(const SampleWish& wish);
  Sampler(Sampler&& other) noexcept;
  Sampler& operator=(Sampler&& other) noexcept;
  ~Sampler();
  /// What `talla-lab outcomes --game` calls these results.
  [[nodiscard]] const std::string& outcomes() const { return outcomes_; }
  /// So many as laboratories look at: 10,000,000 spins or throws, 2,500,000 shoes.
  [[nodiscard]] std::uint64_t usual_count() const;
  /// The first line of a file of `count` results, behind `# `.
  [[nodiscard]] json::Value manifest(std::uint64_t count) const;
  /// Adds the next result to `text`, a line with its LF.
  [[nodiscard]] Status next(std::string& text);

 private:
  Sampler();
  [[nodiscard]] Status set_draw(const games::Draw& draw);
  [[nodiscard]] Status set_shoe(const std::string& deck);
  [[nodiscard]] Status next_draw(std::string& text);
  [[nodiscard]] Status next_shoe(std::string& text);

  SampleWish wish_;
  Digest catalogue_{};
  std::string outcomes_;
  std::optional<games::Draw> draw_;  // else a shoe
  certs::DrawSpecification specification_;
  std::vector<shuffle::Card> cards_;
  std::unique_ptr<entropy::Drbg> drbg_;
};

}  // namespace talla::lab
