package dev.weir.server.http;

import dev.weir.internal.text.PrintableText;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;

/**
 * Reads the query of a request. Only {@code &} separates: a proxy may have put a client's text into
 * a value, and a {@code ;} in it must not begin a parameter of the client's choice.
 */
public final class Query {
  private Query() {}

  /**
   * @throws BadRequestException if an escape is broken
   */
  public static MultiMap of(HttpServerRequest request) {
    try {
      return request.params(true);
    } catch (IllegalArgumentException broken) {
      throw new BadRequestException(
          "query must have two hex digits after each %, was "
              + PrintableText.quoted(request.query()));
    }
  }
}
