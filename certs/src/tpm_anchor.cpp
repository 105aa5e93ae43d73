#include <fmt/format.h>
#include <openssl/evp.h>
#include <tss2/tss2_esys.h>
#include <tss2/tss2_rc.h>
#include <tss2/tss2_tctildr.h>

#include <algorithm>
#include <cstring>

#include "certs/device_anchor.hpp"
#include "certs/files.hpp"
#include "certs/openssl_hashes.hpp"

namespace talla::certs {
namespace {

constexpr std::string_view magic = "TALLANV1";
constexpr std::size_t body_bytes = 8 + 32 + 8 + 32 + 8;
constexpr std::uint16_t state_bytes = body_bytes + 32;
constexpr std::uint32_t index_first = 0x01800000;
constexpr std::uint32_t index_last = 0x01bfffff;
constexpr TPMA_NV attributes = TPMA_NV_AUTHREAD | TPMA_NV_AUTHWRITE | TPMA_NV_OWNERREAD | TPMA_NV_NO_DA;

Digest origin_digest(const std::string& origin) {
  return OpensslHashes().sha256({as_bytes(origin)});
}

Bytes pack(const AnchorState& state) {
  ByteWriter out;
  out.raw(magic).raw(origin_digest(state.origin)).u64(state.size).raw(state.root).u64(state.boot);
  const Digest check = OpensslHashes().sha256({out.bytes()});
  out.raw(check);
  return out.take();
}

Result<AnchorState> unpack(ByteView bytes, const std::string& origin, const std::string& where) {
  const auto damaged = [&](const char* why) { return fail(Errc::anchor_malformed, where + ": " + why); };
  if (bytes.size() != state_bytes) return damaged("another length");
  const Digest check = OpensslHashes().sha256({bytes.first(body_bytes)});
  if (!std::equal(magic.begin(), magic.end(), bytes.begin())) return damaged("no anchor of this program");
  if (!std::equal(check.begin(), check.end(), bytes.begin() + body_bytes))
    return damaged("its check sum is wrong");
  const Digest owner = origin_digest(origin);
  if (!std::equal(owner.begin(), owner.end(), bytes.begin() + 8))
    return fail(Errc::anchor_foreign, where + ": belongs to another log");
  AnchorState state{.origin = origin, .size = load_be64(bytes.data() + 40), .root = {}, .boot = 0};
  std::copy_n(bytes.begin() + 48, state.root.size(), state.root.begin());
  state.boot = load_be64(bytes.data() + 80);
  return state;
}

tl::unexpected<Error> unreachable(const std::string& what, TSS2_RC code) {
  return fail(Errc::anchor_unreachable, fmt::format("TPM: {}: {}", what, Tss2_RC_Decode(code)));
}

/// A format-one code without its parameter, handle or session number (TPM 2.0 part 2, section 6.6).
bool is_code(TSS2_RC code, TSS2_RC wanted) {
  return (code & 0xFFFF0000U) == 0 && (code & 0xBFU) == wanted;
}

/// One use of the TPM: connection, context, the index if it is there.
class Session {
 public:
  Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    if (context_ != nullptr && index_ != ESYS_TR_NONE) Esys_TR_Close(context_, &index_);
    if (context_ != nullptr) Esys_Finalize(&context_);
    if (tcti_ != nullptr) Tss2_TctiLdr_Finalize(&tcti_);
  }

  Status open(const TpmAnchorOptions& options) {
    where_ = fmt::format("TPM NV index 0x{:08x}", options.index);
    if (options.index < index_first || options.index > index_last)
      return fail(Errc::anchor_foreign, where_ + ": outside the owner's range 0x01800000 to 0x01bfffff");
    TALLA_TRY_STATUS(load_auth(options.auth_file));
    const char* tcti = options.tcti.empty() ? nullptr : options.tcti.c_str();
    if (const auto code = Tss2_TctiLdr_Initialize(tcti, &tcti_); code != 0)
      return unreachable("no connection", code);
    if (const auto code = Esys_Initialize(&context_, tcti_, nullptr); code != 0)
      return unreachable("ESAPI", code);
    const auto code =
        Esys_TR_FromTPMPublic(context_, options.index, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &index_);
    if (is_code(code, TPM2_RC_HANDLE)) {
      index_ = ESYS_TR_NONE;
      return {};
    }
    if (code != 0) return unreachable(where_, code);
    if (const auto set = Esys_TR_SetAuth(context_, index_, &auth_); set != 0) return unreachable(where_, set);
    return check_public();
  }

  [[nodiscard]] bool defined() const { return index_ != ESYS_TR_NONE; }
  [[nodiscard]] bool written() const { return written_; }
  [[nodiscard]] const std::string& where() const { return where_; }

  Result<Bytes> read() {
    TPM2B_MAX_NV_BUFFER* data = nullptr;
    const auto code = Esys_NV_Read(context_, index_, index_, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE,
                                   state_bytes, 0, &data);
    if (code != 0) return unreachable(where_ + " cannot be read", code);
    Bytes bytes(data->buffer, data->buffer + std::min<std::size_t>(data->size, sizeof data->buffer));
    Esys_Free(data);
    return bytes;
  }

  Status define(std::uint32_t index) {
    TPM2B_NV_PUBLIC wanted{};
    wanted.nvPublic.nvIndex = index;
    wanted.nvPublic.nameAlg = TPM2_ALG_SHA256;
    wanted.nvPublic.attributes = attributes;
    wanted.nvPublic.dataSize = state_bytes;
    const auto code = Esys_NV_DefineSpace(context_, ESYS_TR_RH_OWNER, ESYS_TR_PASSWORD, ESYS_TR_NONE,
                                          ESYS_TR_NONE, &auth_, &wanted, &index_);
    if (code != 0) return unreachable(where_ + " cannot be defined", code);
    return {};
  }

  Status write(const Bytes& bytes) {
    TPM2B_MAX_NV_BUFFER data{};
    data.size = static_cast<UINT16>(bytes.size());
    std::copy(bytes.begin(), bytes.end(), data.buffer);
    const auto code =
        Esys_NV_Write(context_, index_, index_, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, &data, 0);
    if (code != 0) return unreachable(where_ + " cannot be written", code);
    return {};
  }

 private:
  Status load_auth(const std::string& path) {
    if (path.empty()) return {};
    TALLA_TRY(const SecretBytes value, read_private_file(path));
    if (value.empty() || value.size() > 32)
      return fail(Errc::key_malformed, path + ": 1 to 32 bytes are expected");
    auth_.size = static_cast<UINT16>(value.size());
    std::copy(value.begin(), value.end(), auth_.buffer);
    return {};
  }

  Status check_public() {
    TPM2B_NV_PUBLIC* found = nullptr;
    TPM2B_NAME* name = nullptr;
    const auto code =
        Esys_NV_ReadPublic(context_, index_, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &found, &name);
    if (code != 0) return unreachable(where_, code);
    const TPMA_NV has = found->nvPublic.attributes;
    const bool ours = (has & ~TPMA_NV_WRITTEN) == attributes && found->nvPublic.dataSize == state_bytes;
    written_ = (has & TPMA_NV_WRITTEN) != 0;
    Esys_Free(found);
    Esys_Free(name);
    return ours ? Status() : fail(Errc::anchor_foreign, where_ + ": is another kind of index");
  }

  TSS2_TCTI_CONTEXT* tcti_ = nullptr;
  ESYS_CONTEXT* context_ = nullptr;
  ESYS_TR index_ = ESYS_TR_NONE;
  TPM2B_AUTH auth_{};
  bool written_ = false;
  std::string where_;
};

class TpmAnchor final : public Anchor {
 public:
  explicit TpmAnchor(TpmAnchorOptions options) : options_(std::move(options)) {}

  Result<std::optional<AnchorState>> read() override {
    Session session;
    TALLA_TRY_STATUS(session.open(options_));
    may_make_ = !session.defined() || !session.written();
    if (may_make_) return std::optional<AnchorState>();
    TALLA_TRY(const Bytes bytes, session.read());
    TALLA_TRY(AnchorState state, unpack(bytes, options_.origin, session.where()));
    return std::optional<AnchorState>(std::move(state));
  }

  Status write(const AnchorState& state) override {
    Session session;
    TALLA_TRY_STATUS(session.open(options_));
    if (!may_make_ && !session.written()) return fail(Errc::anchor_foreign, session.where() + ": is gone");
    if (!session.defined()) TALLA_TRY_STATUS(session.define(options_.index));
    TALLA_TRY_STATUS(session.write(pack(state)));
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
