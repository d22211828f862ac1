package dev.weir.client;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the service decided, or what the client answered in its place. Immutable.
 *
 * @param allowed whether the request may go on
 * @param source who answered: {@code store}, {@code deny-cache} or {@code fallback} as the service
 *     says, or {@link #CLIENT}
 * @param retryAfter until the same request passes if nobody else asks; zero if it is allowed, empty
 *     if it never passes or nobody knows
 * @param limits one for each limit that applies; empty if the client answered
 * @param receipt of what was taken, for an exact refund
 */
public record RemoteDecision(
    boolean allowed,
    String source,
    Optional<Duration> retryAfter,
    List<LimitState> limits,
    Optional<String> receipt) {
  /** The source of answers that the client gave by its failure policy. */
  public static final String CLIENT = "client";

  public RemoteDecision {
    limits = List.copyOf(limits);
  }

  /**
   * One limit, as the decision left it.
   *
   * @param rule the rule it belongs to
   * @param remaining permits that one more request could take; empty if not known
   */
  public record LimitState(String rule, String name, boolean allowed, OptionalLong remaining) {}

  static RemoteDecision byClient(boolean allowed) {
    return new RemoteDecision(
        allowed,
        CLIENT,
        allowed ? Optional.of(Duration.ZERO) : Optional.empty(),
        List.of(),
        Optional.empty());
  }

  /** The names of the limits that deny the request. */
  public List<String> deniedBy() {
    return allowed
        ? List.of()
        : limits.stream().filter(limit -> !limit.allowed()).map(LimitState::name).toList();
  }
}
