// The rollback anchor in a TPM 2: an NV index that counts only beside the NV counter's value.
#include <fmt/format.h>

#include <algorithm>

#include "certs/device_anchor.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/secret_source.hpp"
#include "tpm_session.hpp"

namespace talla::certs {
namespace {

constexpr std::string_view magic = "TALLANV2";
constexpr std::size_t body_bytes = 8 + 32 + 8 + 32 + 8 + 8;
constexpr std::uint16_t state_bytes = body_bytes + 32;
constexpr std::uint16_t counter_bytes = 8;
constexpr std::size_t auth_bytes_min = 16;
constexpr std::uint32_t index_first = 0x01800000;
constexpr std::uint32_t index_last = 0x01bffffe;  // the counter has the next number
constexpr TPMA_NV common_attributes =
    TPMA_NV_AUTHREAD | TPMA_NV_AUTHWRITE | TPMA_NV_OWNERREAD | TPMA_NV_NO_DA;
constexpr TPMA_NV counter_attributes =
    common_attributes | (TPMA_NV{TPM2_NT_COUNTER} << TPMA_NV_TPM2_NT_SHIFT);

/// What the data index holds: a state, and the value of the counter that it was written for.
struct BoundState {
  AnchorState state;
  std::uint64_t counter = 0;
};

Digest origin_digest(const std::string& origin) {
  return OpensslHashes().sha256({as_bytes(origin)});
}

Bytes pack(const AnchorState& state, std::uint64_t counter) {
  ByteWriter out;
  out.raw(magic).raw(origin_digest(state.origin)).u64(state.size).raw(state.root).u64(state.boot);
  out.u64(counter);
  const Digest check = OpensslHashes().sha256({out.bytes()});
  out.raw(check);
  return out.take();
}

Result<BoundState> unpack(ByteView bytes, const std::string& origin, const std::string& where) {
  const auto damaged = [&](const char* why) {
    return fail(Errc::anchor_malformed, where + ": " + why);
  };
  if (bytes.size() != state_bytes) return damaged("another length");
  const Digest check = OpensslHashes().sha256({bytes.first(body_bytes)});
  if (!std::equal(magic.begin(), magic.end(), bytes.begin()))
    return damaged("no anchor of this program");
  if (!std::equal(check.begin(), check.end(), bytes.begin() + body_bytes))
    return damaged("its check sum is wrong");
  const Digest owner = origin_digest(origin);
  if (!std::equal(owner.begin(), owner.end(), bytes.begin() + 8))
    return fail(Errc::anchor_foreign, where + ": belongs to another log");
  AnchorState state{.origin = origin, .size = load_be64(bytes.data() + 40), .root = {}, .boot = 0};
  std::copy_n(bytes.begin() + 48, state.root.size(), state.root.begin());
  state.boot = load_be64(bytes.data() + 80);
  return BoundState{.state = std::move(state), .counter = load_be64(bytes.data() + 88)};
}

Result<TpmAuth> load_auth(const std::string& source) {
  constexpr const char* how =
      "; make one: (umask 077; openssl rand -hex 16 | tr -d '\\n' > tpm.auth), and name it in "
      "anchor.tpm_auth";
  if (source.empty())
    return fail(Errc::key_malformed,
                std::string("the TPM anchor has no authorisation value") + how);
  TALLA_TRY(const SecretBytes value, read_secret(source));
  TpmAuth auth{value};
  if (auth.size() < auth_bytes_min || value.size() > TpmAuth::bytes_max) {
    return fail(Errc::key_malformed, fmt::format("{}: an authorisation value has {} to {} bytes{}",
                                                 source, auth_bytes_min, TpmAuth::bytes_max, how));
  }
  return auth;
}

/// One NV index inside a session.
class NvIndex {
 public:
  struct Kind {
    std::uint32_t index = 0;
    TPMA_NV attributes = 0;
    std::uint16_t size = 0;
  };
  NvIndex(TpmSession& session, Kind kind)
      : session_(session), kind_(kind), where_(fmt::format("TPM NV index 0x{:08x}", kind.index)) {}
  NvIndex(const NvIndex&) = delete;
  NvIndex& operator=(const NvIndex&) = delete;

  /// Absent is no error. Its attributes are in its name, and that is in the HMAC of every use: a
  /// lie about them is found with the first.
  Status open(const TpmAuth& auth, const std::string& auth_source) {
    auth_source_ = auth_source;
    const auto code = Esys_TR_FromTPMPublic(session_.context(), kind_.index, ESYS_TR_NONE,
                                            ESYS_TR_NONE, ESYS_TR_NONE, &handle_);
    if (TpmSession::is_code(code, TPM2_RC_HANDLE)) {
      handle_ = ESYS_TR_NONE;
      return {};
    }
    if (code != 0) return session_.failed(where_, code);
    TALLA_TRY_STATUS(session_.authorise(handle_, auth));
    return check_public();
  }

  [[nodiscard]] bool defined() const { return handle_ != ESYS_TR_NONE; }
  [[nodiscard]] bool written() const { return written_; }
  [[nodiscard]] const std::string& where() const { return where_; }

  Status define(const TpmAuth& auth) {
    TPM2B_NV_PUBLIC wanted{};
    wanted.nvPublic.nvIndex = kind_.index;
    wanted.nvPublic.nameAlg = TPM2_ALG_SHA256;
    wanted.nvPublic.attributes = kind_.attributes;
    wanted.nvPublic.dataSize = kind_.size;
    TALLA_TRY(const ESYS_TR session, session_.with(TPMA_SESSION_DECRYPT));
    const auto code =
        Esys_NV_DefineSpace(session_.context(), ESYS_TR_RH_OWNER, session, ESYS_TR_NONE,
                            ESYS_TR_NONE, auth.get(), &wanted, &handle_);
    if (code != 0) {
      handle_ = ESYS_TR_NONE;
      return session_.failed(where_ + " cannot be defined", code);
    }
    return session_.authorise(handle_, auth);
  }

  Result<Bytes> read() {
    TALLA_TRY(const ESYS_TR session, session_.with(TPMA_SESSION_ENCRYPT));
    TPM2B_MAX_NV_BUFFER* data = nullptr;
    const auto code = Esys_NV_Read(session_.context(), handle_, handle_, session, ESYS_TR_NONE,
                                   ESYS_TR_NONE, kind_.size, 0, &data);
    if (code != 0) return refused("cannot be read", code);
    Bytes bytes(data->buffer,
                data->buffer + std::min<std::size_t>(data->size, sizeof data->buffer));
    Esys_Free(data);
    return bytes;
  }

  Status write(const Bytes& bytes) {
    TPM2B_MAX_NV_BUFFER data{};
    data.size = static_cast<UINT16>(bytes.size());
    std::copy(bytes.begin(), bytes.end(), data.buffer);
    TALLA_TRY(const ESYS_TR session, session_.with(TPMA_SESSION_DECRYPT));
    const auto code = Esys_NV_Write(session_.context(), handle_, handle_, session, ESYS_TR_NONE,
                                    ESYS_TR_NONE, &data, 0);
    if (code != 0) return refused("cannot be written", code);
    return {};
  }

  Status increment() {
    TALLA_TRY(const ESYS_TR session, session_.with(0));
    const auto code = Esys_NV_Increment(session_.context(), handle_, handle_, session, ESYS_TR_NONE,
                                        ESYS_TR_NONE);
    if (code != 0) return refused("cannot be incremented", code);
    return {};
  }

  Result<std::uint64_t> count() {
    TALLA_TRY(const Bytes bytes, read());
    if (bytes.size() != counter_bytes)
      return fail(Errc::anchor_malformed, where_ + ": another length");
    return load_be64(bytes.data());
  }

 private:
  tl::unexpected<Error> refused(const char* what, TSS2_RC code) const {
    if (!TpmSession::is_refused(code)) return session_.failed(where_ + " " + what, code);
    return fail(
        Errc::anchor_foreign,
        where_ + ": has another authorisation value than " + auth_source_ +
            ": this is not its file, or the index was deleted and defined anew by somebody else");
  }

  Status check_public() {
    TPM2B_NV_PUBLIC* found = nullptr;
    TPM2B_NAME* name = nullptr;
    const auto code = Esys_NV_ReadPublic(session_.context(), handle_, ESYS_TR_NONE, ESYS_TR_NONE,
                                         ESYS_TR_NONE, &found, &name);
    if (code != 0) return session_.failed(where_, code);
    const TPMA_NV has = found->nvPublic.attributes;
    const bool ours =
        (has & ~TPMA_NV_WRITTEN) == kind_.attributes && found->nvPublic.dataSize == kind_.size;
    written_ = (has & TPMA_NV_WRITTEN) != 0;
    Esys_Free(found);
    Esys_Free(name);
    if (ours) return {};
    return fail(
        Errc::anchor_foreign,
        where_ +
            ": is another kind of index: of another program or version, or changed; name a free "
            "pair of indices in anchor.tpm_index");
  }

  TpmSession& session_;
  Kind kind_;
  std::string where_;
  std::string auth_source_;
  ESYS_TR handle_ = ESYS_TR_NONE;
  bool written_ = false;
};

/// The data index and its counter in one session.
class NvPair {
 public:
  explicit NvPair(std::uint32_t index)
      : session_(Errc::anchor_unreachable),
        data_(session_, {.index = index, .attributes = common_attributes, .size = state_bytes}),
        counter_(session_,
                 {.index = index + 1, .attributes = counter_attributes, .size = counter_bytes}) {}

  Status open(const TpmAnchorOptions& options) {
    if (options.index < index_first || options.index > index_last) {
      return fail(Errc::anchor_foreign,
                  data_.where() + ": outside the owner's range 0x01800000 to 0x01bffffe");
    }
    TALLA_TRY(auth_, load_auth(options.auth_file));
    TALLA_TRY_STATUS(session_.connect(options.tcti, ESYS_TR_RH_NULL));
    TALLA_TRY_STATUS(session_.begin());
    TALLA_TRY_STATUS(data_.open(auth_, options.auth_file));
    return counter_.open(auth_, options.auth_file);
  }

  struct Found {
    BoundState bound;
    std::uint64_t counter = 0;
  };
  /// Nothing when neither index was ever written.
  Result<std::optional<Found>> look(const std::string& origin) {
    if (!data_.written() && !counter_.written()) return std::optional<Found>();
    if (!counter_.written()) {
      return fail(Errc::anchor_foreign, data_.where() + ": has content, but its counter " +
                                            counter_.where() + " is gone or was made anew");
    }
    TALLA_TRY(const std::uint64_t counter, counter_.count());
    if (!data_.written()) {
      return fail(
          Errc::anchor_foreign,
          fmt::format("{}: is empty, but its counter stands at {}: it was deleted or made anew",
                      data_.where(), counter));
    }
    TALLA_TRY(const Bytes bytes, data_.read());
    TALLA_TRY(BoundState bound, unpack(bytes, origin, data_.where()));
    // Data goes before its counter: one step ahead is a write that a power cut has interrupted.
    if (bound.counter != counter && bound.counter != counter + 1) {
      return fail(
          Errc::anchor_foreign,
          fmt::format("{}: holds what was written for counter value {}, but the counter stands at "
                      "{}: older content was written back, or the counter was made anew",
                      data_.where(), bound.counter, counter));
    }
    return std::optional<Found>({.bound = std::move(bound), .counter = counter});
  }

  /// The first content: the counter begins above all that this TPM has ever counted.
  Status make(const AnchorState& state) {
    if (!data_.defined()) TALLA_TRY_STATUS(data_.define(auth_));
    if (!counter_.defined()) TALLA_TRY_STATUS(counter_.define(auth_));
    TALLA_TRY_STATUS(counter_.increment());
    TALLA_TRY(const std::uint64_t counter, counter_.count());
    return data_.write(pack(state, counter));
  }

  /// No two contents are ever written for one value of the counter.
  Status replace(const AnchorState& state, const Found& found) {
    if (found.bound.counter != found.counter) TALLA_TRY_STATUS(counter_.increment());
    TALLA_TRY_STATUS(data_.write(pack(state, found.bound.counter + 1)));
    return counter_.increment();
  }

  [[nodiscard]] const std::string& where() const { return data_.where(); }

 private:
  TpmSession session_;
  TpmAuth auth_;
  NvIndex data_;
  NvIndex counter_;
};

class TpmAnchor final : public Anchor {
 public:
  explicit TpmAnchor(TpmAnchorOptions options) : options_(std::move(options)) {}

  Result<std::optional<AnchorState>> read() override {
    NvPair pair(options_.index);
    TALLA_TRY_STATUS(pair.open(options_));
    TALLA_TRY(auto found, pair.look(options_.origin));
    may_make_ = !found;
    if (!found) return std::optional<AnchorState>();
    return std::optional<AnchorState>(std::move(found->bound.state));
  }

  Status write(const AnchorState& state) override {
    NvPair pair(options_.index);
    TALLA_TRY_STATUS(pair.open(options_));
    TALLA_TRY(const auto found, pair.look(options_.origin));
    if (!found && !may_make_) return fail(Errc::anchor_foreign, pair.where() + ": is gone");
    TALLA_TRY_STATUS(found ? pair.replace(state, *found) : pair.make(state));
    may_make_ = false;
    return {};
  }

 private:
  TpmAnchorOptions options_;
  bool may_make_ = false;  // the last read found none
};

}  // namespace

std::unique_ptr<Anchor> make_tpm_anchor(TpmAnchorOptions options) {
  return std::make_unique<TpmAnchor>(std::move(options));
}

}  // namespace talla::certs
