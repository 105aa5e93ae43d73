#include "witness_pages.hpp"

namespace talla::cli {
namespace {

http::Reply text_reply(unsigned status, std::string body) {
  return {.status = status,
          .content_type = "text/plain; charset=utf-8",
          .headers = {},
          .body = std::move(body),
          .feed = nullptr};
}

http::Reply reply_of(certs::WitnessReply reply) {
  return {.status = reply.status,
          .content_type = std::move(reply.content_type),
          .headers = {},
          .body = std::move(reply.body),
          .feed = nullptr};
}

std::string label_of(const std::string& origin) {
  std::string text;
  for (const char c : origin) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return "{origin=\"" + text + "\"} ";
}

std::string metrics(const certs::Witness& witness) {
  const certs::Witness::Figures figures = witness.figures();
  std::string text;
  const auto family = [&](const char* name, const char* type, auto value) {
    text += std::string("# TYPE ") + name + " " + type + "\n";
    for (const auto& log : figures.logs)
      text += name + label_of(log.origin) + std::to_string(value(log)) + "\n";
  };
  family("talla_witness_log_size", "gauge", [](const auto& log) { return log.size; });
  family("talla_witness_log_time_seconds", "gauge", [](const auto& log) { return log.time_s; });
  family("talla_witness_log_cosigned_total", "counter",
         [](const auto& log) { return log.cosigned; });
  family("talla_witness_log_conflicts_total", "counter",
         [](const auto& log) { return log.conflicts; });
  family("talla_witness_log_unproven_total", "counter",
         [](const auto& log) { return log.unproven; });
  family("talla_witness_log_after_end_total", "counter",
         [](const auto& log) { return log.after_end; });
  text += "# TYPE talla_witness_replies_total counter\n";
  for (const auto& [status, count] : figures.replies)
    text += "talla_witness_replies_total{status=\"" + std::to_string(status) + "\"} " +
            std::to_string(count) + "\n";
  text += "# TYPE talla_witness_failed gauge\ntalla_witness_failed " +
          std::to_string(figures.failed ? 1 : 0) + "\n";
  return text;
}

}  // namespace

http::Reply witness_page(certs::Witness& witness, const http::Request& request) {
  constexpr std::string_view tail = "/checkpoint";
  if (request.target == "/add-checkpoint") {
    if (request.method != "POST") return text_reply(405, "POST is expected\n");
    return reply_of(witness.add_checkpoint(request.body));
  }
  if (request.method != "GET") return text_reply(405, "GET is expected\n");
  const std::string_view target = request.target;
  if (target.size() > 1 + tail.size() && target.starts_with('/') && target.ends_with(tail)) {
    return reply_of(witness.checkpoint(target.substr(1, target.size() - 1 - tail.size())));
  }
  if (target == "/metrics") {
    http::Reply reply = text_reply(200, metrics(witness));
    reply.content_type = "text/plain; version=0.0.4";
    return reply;
  }
  if (target == "/livez") {
    const bool failed = witness.figures().failed;
    return text_reply(failed ? 500 : 200, failed ? "failed\n" : "alive\n");
  }
  return text_reply(404, "here are POST /add-checkpoint and GET /<origin hash>/checkpoint\n");
}

}  // namespace talla::cli
