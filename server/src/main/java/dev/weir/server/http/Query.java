package dev.weir.server.http;

import dev.weir.internal.text.PrintableText;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;

/**
 * Reads the query of a request. Only {@code &} separates parameters: a proxy may put text from a
 * client into a value, and a {@code ;} in that text must not let the client add a parameter.
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
