package dev.weir.server.http.admin;

import dev.weir.server.http.Exchange;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/** Admits administrators: those with the token or, in a demonstration, on this machine. */
public final class AdminGate {
  private static final String SCHEME = "Bearer ";

  private final Optional<byte[]> token;
  private final boolean demo;

  /**
   * @param demo whether requests of this very machine are admitted if there is no token
   */
  public AdminGate(Optional<String> token, boolean demo) {
    this.token = token.map(text -> text.getBytes(StandardCharsets.UTF_8));
    this.demo = demo;
  }

  /** What the sender of a request may see and do. */
  public enum Viewer {
    ADMINISTRATOR,
    /** An administrator with the token would be admitted. */
    NEEDS_TOKEN,
    /** The request carries a token, and it is wrong. */
    WRONG_TOKEN,
    /** There are no administrators here. */
    CLOSED
  }

  /** Who makes the request, without answering it: for calls that show more to administrators. */
  public Viewer viewer(Exchange exchange) {
    if (token.isEmpty()) {
      boolean local = demo && LocalRequest.objection(exchange.request()).isEmpty();
      return local ? Viewer.ADMINISTRATOR : Viewer.CLOSED;
    }
    String given = exchange.request().getHeader("Authorization");
    if (given == null) {
      return Viewer.NEEDS_TOKEN;
    }
    return hasToken(given, token.get()) ? Viewer.ADMINISTRATOR : Viewer.WRONG_TOKEN;
  }

  /** Whether the call may go on; if not, it has been answered. */
  public boolean admits(Exchange exchange) {
    boolean admitted =
        token.isEmpty() ? admitsWithoutToken(exchange) : admitsToken(exchange, token.get());
    if (admitted) {
      exchange.ofAdministrator();
    }
    return admitted;
  }

  /** Whether an administrator makes the call; answers nothing. */
  public boolean knows(Exchange exchange) {
    return token.isEmpty()
        ? demo && LocalRequest.objection(exchange.request()).isEmpty()
        : hasToken(exchange.request().getHeader("Authorization"), token.get());
  }

  private static boolean admitsToken(Exchange exchange, byte[] token) {
    if (hasToken(exchange.request().getHeader("Authorization"), token)) {
      return true;
    }
    exchange.response().putHeader("WWW-Authenticate", "Bearer realm=\"weir\"");
    exchange.problem(401, "Unauthorized", "this call needs the admin token as a bearer token");
    return false;
  }

  private boolean admitsWithoutToken(Exchange exchange) {
    if (!demo) {
      exchange.problem(
          403, "Forbidden", "administration is disabled: no admin token is configured");
      return false;
    }
    Optional<String> objection = LocalRequest.objection(exchange.request());
    objection.ifPresent(
        why ->
            exchange.problem(
                403,
                "Forbidden",
                "without an admin token only direct requests of this machine may do this: " + why));
    return objection.isEmpty();
  }

  private static boolean hasToken(String authorization, byte[] expected) {
    if (authorization == null
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return false;
    }
    byte[] given = authorization.substring(SCHEME.length()).getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(given, expected); // constant time
  }
}
