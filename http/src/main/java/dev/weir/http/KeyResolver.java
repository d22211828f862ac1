package dev.weir.http;

import dev.weir.rules.Attributes;
import org.jspecify.annotations.Nullable;

/**
 * Finds the key of a request, where one limiter limits all requests.
 *
 * <p>A request without a key is not limited, as a rule does not apply to a request that lacks its
 * key: by {@link #user}, requests without an authenticated user pass.
 */
@FunctionalInterface
public interface KeyResolver {
  /**
   * The key; null if the request has none.
   *
   * @param request normalised: {@code ip}, {@code path}, {@code user}, {@code header.<name>}, …
   */
  @Nullable String key(Attributes request);

  /** By the address of the client; behind proxies, name them to the {@link HttpLimiter}. */
  static KeyResolver address() {
    return attribute(RequestAttributes.IP);
  }

  /** By the name of the authenticated user. */
  static KeyResolver user() {
    return attribute(RequestAttributes.USER);
  }

  /** By a header field that holds, for example, an API key. */
  static KeyResolver header(String name) {
    return attribute("header." + name);
  }

  /** By the path: all clients share the limit of a path. */
  static KeyResolver path() {
    return attribute(RequestAttributes.PATH);
  }

  /** By any attribute: one of those above, or one of the application. */
  static KeyResolver attribute(String name) {
    return request -> request.get(name);
  }

  /** The same key for every request: all of them share one limit. */
  static KeyResolver everybody() {
    return request -> "";
  }
}
