#include "format/covered_format.hpp"

#include "format/domain.hpp"

namespace talla::certs {

Bytes covered_info(const CoveredContext& context, ByteView ephemeral) {
  ByteWriter writer;
  writer.raw(domain::covered_card)
      .field(context.origin)
      .field(context.shoe)
      .u32(context.position)
      .u32(context.seat);
  writer.raw(context.key).raw(ephemeral);
  return writer.take();
}

}  // namespace talla::certs
