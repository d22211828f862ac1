package dev.weir.redis;

import dev.weir.internal.Check;
import dev.weir.redis.internal.connection.AddressParser;
import dev.weir.redis.internal.diagnosis.Examination;
import dev.weir.redis.internal.protocol.KeyNames;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Examines the servers of an address and says whether limits can be kept there, before anything
 * relies on them. A command that the servers do not allow makes a finding unknown, not bad: managed
 * services refuse many.
 *
 * <p>Writes two keys of its own for a moment, inside the namespace. Blocks the caller.
 */
public final class RedisDiagnosis {
  private RedisDiagnosis() {}

  /** How much a finding matters, from least to most. */
  public enum Severity {
    /** As it should be. */
    OK,
    /** The server did not say. */
    UNKNOWN,
    /** Limits can be kept, but somebody should look at it. */
    WARNING,
    /** Limits cannot be kept, or not reliably. */
    FAILURE
  }

  /**
   * One thing that was looked at.
   *
   * @param server which server it is about
   * @param subject what was looked at, one word: {@code version}, {@code eviction}
   * @param text what was found and, unless it is fine, what to change; one line
   */
  public record Finding(Severity severity, String server, String subject, String text) {}

  /**
   * Connects, looks, and disconnects, with the certificates of the JVM.
   *
   * @see #examine(String, Optional, String, Duration)
   */
  public static List<Finding> examine(String address, String namespace, Duration timeout) {
    return examine(address, Optional.empty(), namespace, timeout);
  }

  /**
   * Connects, looks, and disconnects.
   *
   * @param address as {@link RedisStore#builder(String)} takes it
   * @param tls certificates in the place of the JVM's, and what is checked of the server's
   * @param namespace of the store that is to be used
   * @param timeout of each step: connecting, and each command
   * @return at least one finding: a server that cannot be reached is one
   * @throws IllegalArgumentException if the address or the namespace is malformed, or a file of
   *     {@code tls} cannot be used
   */
  public static List<Finding> examine(
      String address, Optional<RedisTls> tls, String namespace, Duration timeout) {
    return Examination.of(
        AddressParser.parse(Check.notBlank("address", address)),
        tls,
        new KeyNames(Check.notNull("namespace", namespace)),
        Check.period("timeout", timeout));
  }
}
