package dev.weir.server.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/** Refuses heads that two readers could understand differently (RFC 9112, section 3.2). */
final class HeadChecks {
  private HeadChecks() {}

  /** Whether the request has been answered with what is wrong. */
  static boolean refuse(Exchange exchange) {
    HttpServerRequest request = exchange.request();
    if (request.version() == HttpVersion.HTTP_2) {
      return false;
    }
    int hosts = request.headers().getAll(HttpHeaders.HOST).size();
    if (hosts > 1 || (hosts == 0 && request.version() == HttpVersion.HTTP_1_1)) {
      exchange.closeAfterAnswer();
      exchange.refuse(
          new BadRequestException("a request must have one Host field, was with " + hosts));
      return true;
    }
    return false;
  }
}
