// requests.cc: the parameters of what we send.
#include "mcp/requests.h"

#include "json/writer.h"

namespace cutline::mcp {
namespace {

void write_client(json::Writer& out) {
  out.begin_object().member("name", kClientName).member("version", kClientVersion).end_object();
}

void write_envelope(json::Writer& out) {
  out.key("_meta").begin_object();
  out.member("io.modelcontextprotocol/protocolVersion", kModernVersion);
  out.key("io.modelcontextprotocol/clientInfo");
  write_client(out);
  out.key("io.modelcontextprotocol/clientCapabilities").begin_object().end_object();
  out.end_object();
}

}  // namespace

std::string discover_params() { return list_params(Era::kModern, {}); }

std::string initialize_params() {
  json::Writer out;
  out.begin_object().member("protocolVersion", kLegacyVersion);
  out.key("capabilities").begin_object().end_object();
  out.key("clientInfo");
  write_client(out);
  out.end_object();
  return out.take();
}

std::string list_params(Era era, std::string_view cursor) {
  if (era == Era::kLegacy && cursor.empty()) return {};
  json::Writer out;
  out.begin_object();
  if (!cursor.empty()) out.key("cursor").raw(cursor);
  if (era == Era::kModern) write_envelope(out);
  out.end_object();
  return out.take();
}

}  // namespace cutline::mcp
