#include "life.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "book.hpp"
#include "chance.hpp"
#include "disk.hpp"
#include "failure.hpp"
#include "guest.hpp"
#include "rig.hpp"

namespace talla::sim {
namespace {

constexpr std::size_t turns_max = 60'000;
constexpr std::int64_t second_ns = 1'000'000'000;

core::Settings settings_of(Random& random) {
  core::Settings settings;
  settings.resume_interval = random.once_in(2) ? 16 : 512;
  settings.batch_lifetime_us = 60'000'000;
  settings.clock_step_us_max = 5'000'000;
  settings.anchor_interval_us = 5'000'000;
  settings.anchor_lost_us = random.once_in(2) ? 0 : 20'000'000;
  settings.group_max = random.once_in(3) ? 1 : 512;
  settings.overlap_from_us =
      random.once_in(2) ? 0 : 1000;  // 0: some groups are written before the last one is durable
  settings.syncs_at_once = 1 + random.below(4);
  return settings;
}

/// What all lives of a process share is the same whichever of them comes first.
void make_shared_keys() {
  {
    const DrawnFrom name("development keys");
    static_cast<void>(core::test::Rig::keys());
  }
  for (const char* who :
       {"talla:table-1", "talla:officer-1", "talla:inspector-1", "talla:operator-1"}) {
    const DrawnFrom name(who);
    static_cast<void>(core::test::table_client(who));
  }
}

class Life {
 public:
  explicit Life(const LifePlan& plan)
      : plan_(plan),
        random_(plan.seed),
        disk_(Disk::instance()),
        rig_(begin(), Disk::vfs_name, anchor()),
        around_(*anchor_, random_),
        judges_(random_) {
    if (random_.once_in(3)) rig_.tiles = rig_.folder() + "/tiles";
    if (random_.once_in(3)) around_.call_witness(rig_);
    rig_.restart();
    for (std::size_t i = 0; i < plan.guests; ++i) sit_down();
    now_.began_us = rig_.clock.utc_us();
    rig_.client = {"talla:auditor-1", std::string(64, '4'), {core::Role::auditor}};
  }
  ~Life() {  // NOLINT(bugprone-exception-escape): a life that does not end is the test's end
    disk_.stop();
    rig_.crash();
    disk_.start_again(false);
    rig_.outer = nullptr;
  }
  Life(const Life&) = delete;
  Life& operator=(const Life&) = delete;

  /// Of all guests so far.
  [[nodiscard]] std::size_t rounds() const {
    std::size_t all = now_.rounds_before;
    for (const auto& guest : guests_) all += guest->rounds();
    return all;
  }

  LifeCounts run() {
    const Spending mine(Part::rest);
    for (std::size_t turn = 0; !over(); ++turn) {
      require(turn < turns_max, [&] { return "the life does not end: " + told(); });
      if (!now_.leaving && rounds() >= plan_.rounds) everybody_leaves();
      pass_time();
      plan_faults();
      talk();
      mend();
    }
    rig_.supply.pool_empty = false;
    disk_.forget_faults();
    around_.calm();
    book_.check_all(rig_, random_);
    rig_.service().stop();
    around_.check_tiles(rig_);
    clean_stop();
    book_.check_after_start(rig_, random_);
    return counted();
  }

 private:
  core::Settings begin() {
    draw_from(plan_.seed);
    disk_.begin(random_);
    return settings_of(random_);
  }
  [[nodiscard]] std::unique_ptr<certs::Anchor> anchor() {
    auto made = std::make_unique<SimAnchor>();
    anchor_ = made.get();
    return made;
  }
  [[nodiscard]] std::unique_ptr<Guest> guest() {
    return std::make_unique<Guest>(++now_.guests_made, random_.pick(games_), random_);
  }
  void sit_down() { guests_.push_back(guest()); }
  void everybody_leaves() {
    now_.leaving = true;
    for (auto& guest : guests_) guest->leave();
  }
  [[nodiscard]] bool over() const {
    return now_.leaving &&
           std::ranges::all_of(guests_, [](const auto& guest) { return guest->gone(); });
  }

  [[nodiscard]] std::string told() {
    std::string out = std::to_string(rounds()) + " rounds";
    for (const auto& guest : guests_) {
      if (!guest->gone()) out += "; " + guest->game().text() + " asks " + guest->told();
    }
    return out;
  }

  void pass_time() {
    const auto wait = random_.once_in(50) ? 90 * second_ns
                                          : static_cast<std::int64_t>(random_.below(second_ns / 4));
    rig_.clock.advance_ns(wait);
    if (random_.once_in(900)) {
      ++counts_.clock_steps;
      const bool far = random_.once_in(2);
      rig_.clock.step_utc_us(far ? -90'000'000 : 1'000'000);
      now_.stepped = now_.stepped || (far && now_.turned);
    }
  }

  /// Something that goes wrong in the turns that follow.
  void plan_faults() {
    if (now_.leaving && random_.below(4) != 0) return;
    around_.plan(rig_);
    if (random_.once_in(250)) judges_.alarm(rig_);
    if (random_.once_in(300)) disk_.cut_power_in(static_cast<long>(random_.below(60)));
    if (random_.once_in(900)) disk_.fail_sync_in(static_cast<long>(random_.below(4)));
    if (random_.once_in(900)) disk_.fail_write_in(static_cast<long>(random_.below(40)));
    if (random_.once_in(500) && !rig_.supply.latched()) {
      ++counts_.latches;
      rig_.supply.latch(entropy::LatchReason::health_permanent);
    }
    if (rig_.supply.pool_empty) {
      rig_.supply.pool_empty = !random_.once_in(8);
    } else if (random_.once_in(100)) {
      ++counts_.dry_pools;
      rig_.supply.pool_empty = true;
    }
  }

  struct Call {
    Guest* guest;  // null: a copy that nobody waits for, or a seat's
    Seat* seat;    // null: a guest's
    core::Request request;
    std::shared_ptr<std::optional<core::Reply>> reply;
  };

  /// One exchange: everybody who is awake asks, some words get lost.
  void talk() {
    const Spending mine(Part::guests);
    std::vector<Call> calls;
    for (auto& guest : guests_) {
      if (guest->gone() || random_.once_in(4)) continue;
      if (const auto* request = guest->asks()) send(guest.get(), nullptr, *request, calls);
    }
    // Seats of guests who have opened a table: also of those who sleep.
    for (auto& guest : guests_) {
      if (guest->gone() || guest->seats() == nullptr) continue;
      for (const auto& seat : guest->seats()->all()) {
        if (random_.once_in(4)) continue;
        if (const auto* request = seat->asks()) send(nullptr, seat.get(), *request, calls);
      }
    }
    {
      const Spending served(Part::service);
      rig_.service().run_until_idle();
    }
    require(!now_.stepped || rig_.service().failed() || rig_.supply.latched(),
            "the clock has stepped, and nothing is latched");
    now_.turned = true;
    now_.stepped = false;
    // Whatever was acknowledged holds, whether anybody heard it or not.
    for (const auto& call : calls) {
      if (call.reply->has_value()) book_.acknowledged(call.request, **call.reply);
    }
    for (const auto& call : calls) {
      if ((call.guest == nullptr && call.seat == nullptr) || !call.reply->has_value()) continue;
      if (random_.once_in(20)) {
        ++counts_.replies_lost;
        continue;
      }
      if (call.guest != nullptr) judges_.answered(call.guest->table(), **call.reply);
      if (call.guest != nullptr) call.guest->answered(**call.reply);
      if (call.seat != nullptr) call.seat->answered(**call.reply);
    }
    for (auto& guest : guests_) {
      if (guest->seats() == nullptr) continue;
      book_.contributed(guest->seats()->take_contributed());
      if (guest->seats()->order_due() && random_.once_in(6)) order(*guest);
    }
    for (auto& guest : guests_) {
      if (!guest->gone()) judges_.look(rig_, guest->table());
    }
    replace_guests();
  }

  /// Somebody's request, which may get lost on its way, or come twice.
  void send(Guest* guest, Seat* seat, const core::Request& request, std::vector<Call>& calls) {
    ++counts_.requests;
    if (random_.once_in(25)) {
      ++counts_.requests_lost;
      return;
    }
    calls.push_back({guest, seat, request, rig_.send(request)});
    if (random_.once_in(15) && request.method == "POST") {
      ++counts_.repeated;
      calls.push_back({nullptr, nullptr, request, rig_.send(request)});
    }
  }

  void replace_guests() {
    for (auto& guest : guests_) {
      if (!now_.leaving && guest->rounds() >= 12 && random_.once_in(40)) guest->leave();
      if (!guest->gone() || now_.leaving) continue;
      now_.rounds_before += guest->rounds();
      count_seats(*guest);
      guest = this->guest();
    }
  }

  void count_seats(Guest& guest) {
    if (guest.seats() == nullptr) return;
    for (const auto& seat : guest.seats()->all()) {
      counts_.opened += seat->counts().opened;
      counts_.kept_back += seat->counts().kept_back;
      counts_.lies += seat->counts().lies;
    }
  }

  void mend() {
    if (disk_.dead()) return restart(!random_.once_in(4));  // else only the process died there
    if (rig_.service().failed()) {
      ++counts_.disk_errors;
      return restart(random_.once_in(2));
    }
    if (random_.once_in(600)) {
      ++counts_.kills;
      return restart(false);
    }
    if (random_.once_in(1500)) return clean_stop();
    if (rig_.supply.latched() && random_.once_in(6)) reset();
  }

  void clean_stop() {
    ++counts_.clean_stops;
    disk_.forget_faults();
    rig_.service().stop();
    rig_.crash();
    disk_.start_again(false);
    open(false);
  }

  void restart(bool power_lost) {
    disk_.stop();
    rig_.crash();
    disk_.start_again(power_lost);
    open(power_lost);
  }

  void open(bool power_lost) {
    const Spending mine(Part::starts);
    around_.before_start(rig_, power_lost);
    rig_.supply.forget_latch();  // another process: what stands is what the log says
    rig_.open();
    now_.turned = now_.stepped = false;
    around_.started();
    judges_.check_after_start(rig_);
    book_.check_after_start(rig_, random_);
  }

  /// Two persons let a table call again.
  void order(Guest& guest) {
    const auto& object = *guest.seats()->order_due();
    const auto asked = rig_.ask_order(rig_.officer, "call-again", object, guest.table());
    if (asked.status != 201) return;
    if (rig_.confirm_order(rig_.inspector, asked).status != 200) return;
    guest.seats()->ordered();
    ++counts_.orders;
  }

  void reset() {
    rig_.supply.pool_empty = false;
    disk_.forget_faults();
    const auto asked =
        rig_.post_as(rig_.officer, "/v1/acts", R"({"act":"latch-reset"})", "reset-" + next());
    if (asked.status != 201) return;
    static_cast<void>(rig_.post_as(rig_.inspector,
                                   "/v1/acts/" + asked.text({"act", "id"}) + "/confirm", "{}",
                                   "confirm-" + next()));
    rig_.service().run_until_idle();
  }
  std::string next() { return std::to_string(++now_.acts); }

  LifeCounts counted() {
    const auto& disk = disk_.counts();
    counts_.lives = 1;
    for (auto& guest : guests_) count_seats(*guest);
    const auto root = rig_.log().prover().root(rig_.log().size());
    require(root.has_value(), "the log has no root");
    counts_.log_root = *root;
    counts_.contributed = book_.contributions();
    counts_.around = around_.counts();
    counts_.judged = judges_.counts();
    counts_.rounds = rounds();
    counts_.power_cuts = disk.cuts;
    counts_.sectors_lost = disk.sectors_lost;
    counts_.records = rig_.log().size();
    counts_.acknowledged = book_.replies();
    counts_.verified = book_.verified();
    counts_.simulated_us = rig_.clock.utc_us() - now_.began_us;
    counts_.spent = take_spent();
    return counts_;
  }

  LifePlan plan_;
  Random random_;
  Disk& disk_;
  SimAnchor* anchor_ = nullptr;  // the rig's
  core::test::Rig rig_;
  Around around_;
  Judges judges_;
  Book book_;
  const std::vector<GameId> games_ = all_games();
  std::vector<std::unique_ptr<Guest>> guests_;
  struct Course {
    std::uint64_t guests_made = 0, acts = 0;
    std::size_t rounds_before = 0;  // of guests who are gone
    std::int64_t began_us = 0;
    bool leaving = false;
    bool turned = false;   // since it was started: it has seen the clock
    bool stepped = false;  // the clock, beyond its bound, since the last turn
  };
  Course now_;
  LifeCounts counts_;
};

}  // namespace

void LifeCounts::add(const LifeCounts& other) {
  lives += other.lives;
  rounds += other.rounds;
  requests += other.requests;
  replies_lost += other.replies_lost;
  requests_lost += other.requests_lost;
  repeated += other.repeated;
  power_cuts += other.power_cuts;
  kills += other.kills;
  clean_stops += other.clean_stops;
  disk_errors += other.disk_errors;
  sectors_lost += other.sectors_lost;
  latches += other.latches;
  clock_steps += other.clock_steps;
  dry_pools += other.dry_pools;
  records += other.records;
  acknowledged += other.acknowledged;
  verified += other.verified;
  opened += other.opened;
  kept_back += other.kept_back;
  lies += other.lies;
  contributed += other.contributed;
  orders += other.orders;
  log_root = other.log_root;
  around.add(other.around);
  judged.add(other.judged);
  simulated_us += other.simulated_us;
  for (std::size_t i = 0; i < parts_count; ++i) spent.at(i) += other.spent.at(i);
}

LifeCounts live(const LifePlan& plan) {
  make_shared_keys();
  Life life(plan);
  try {
    return life.run();
  } catch (const std::exception& failure) {
    throw Failure(failure.what() +
                  ("\nin round " + std::to_string(life.rounds()) + " of this life"));
  }
}

}  // namespace talla::sim
