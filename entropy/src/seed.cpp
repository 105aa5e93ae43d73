#include "seed.hpp"

#include "entropy/conditioner.hpp"

namespace talla::entropy {

namespace {

constexpr std::size_t extra_bytes = 32;

void append_field(SecretBytes& to, std::span<const std::uint8_t> bytes) {
  const Bytes length = ByteWriter().u32(static_cast<std::uint32_t>(bytes.size())).take();
  to.insert(to.end(), length.begin(), length.end());
  to.insert(to.end(), bytes.begin(), bytes.end());
}

}  // namespace

Bytes personalisation_of(const SeedIdentity& identity) {
  ByteWriter writer;
  writer.field(identity.purpose).field(identity.appliance_id);
  return writer.u64(identity.boot_counter).u64(identity.instance).u64(identity.incarnation).take();
}

Result<SecretBytes> make_seed(std::span<const std::uint8_t> block, const SeedIdentity& identity,
                              OsRandom& os, RdSeed& rdseed) {
  SecretBytes from_os(extra_bytes);
  TALLA_TRY_STATUS(os.fill(from_os));
  SecretBytes from_cpu;
  if (rdseed.available()) {
    from_cpu.resize(extra_bytes);
    TALLA_TRY_STATUS(rdseed.fill(from_cpu));
  }
  SecretBytes input;
  append_field(input, as_bytes("talla/entropy/seed/v1"));
  append_field(input, block);
  append_field(input, from_os);
  append_field(input, from_cpu);
  append_field(input, personalisation_of(identity));
  append_field(input, ByteWriter().u64(identity.seeds).bytes());
  return hash_df_sha512(input, block_bytes);
}

}  // namespace talla::entropy
