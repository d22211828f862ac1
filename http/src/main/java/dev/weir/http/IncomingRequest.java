package dev.weir.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One incoming request, as a framework hands it over: the only thing that an integration has to
 * translate. Text is given as it was sent; {@link HttpLimiter} normalises it.
 *
 * <p>Methods are called on the thread that asks, before the answer; each may be called several
 * times or never, and must return the same each time.
 */
public interface IncomingRequest {
  String method();

  /**
   * The target of the request line: {@code /a/b?q=1}. Neither decoded nor cut, or a rule for the
   * path could be evaded.
   */
  String target();

  /**
   * The address of the connection's other end, in digits. Not what a framework derived from header
   * fields: {@link ClientAddress} does that, and knows which proxies to trust.
   */
  String peer();

  /** All values of a header field, in the order received; empty if there is none. */
  List<String> headers(String name);

  /** The name of the authenticated user; null if there is none, or not yet. */
  default @Nullable String user() {
    return null;
  }

  /**
   * An attribute that only the application knows: {@code tenant}, {@code plan}, {@code email}. It
   * takes precedence over {@code user}, {@code host} and header fields.
   */
  default @Nullable String attribute(String name) {
    return null;
  }
}
