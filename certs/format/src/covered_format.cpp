#include "format/covered_format.hpp"

#include "format/domain.hpp"

namespace talla::certs {

Bytes covered_info(const CoveredContext& context, ByteView ephemeral) {
  ByteWriter writer;
  writer.raw(context.recommits == 0 ? domain::covered_card : domain::covered_again)
      .field(context.origin)
      .field(context.shoe);
  if (context.recommits != 0) writer.u32(context.recommits);
  writer.u32(context.position).u32(context.seat);
  writer.raw(context.key).raw(ephemeral);
  return writer.take();
}

}  // namespace talla::certs
