package dev.weir.redis;

import dev.weir.internal.Check;
import dev.weir.redis.internal.connection.AddressParser;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Checks and shows addresses of Redis. An address may hold a password, so it must be masked here
 * before it is logged or displayed.
 */
public final class RedisAddress {
  private RedisAddress() {}

  /** The supported schemes, for messages: {@code redis://, rediss://, ... or rediss-cluster://}. */
  public static String schemes() {
    return AddressParser.schemes();
  }

  /**
   * Checks that a text is an address, without connecting.
   *
   * @return the same text
   * @throws IllegalArgumentException if it is not, with what to change; the message never repeats a
   *     part of the text that may be a password
   */
  public static String check(String address) {
    AddressParser.check(Check.notNull("address", address));
    return address;
  }

  /** A user or a password as it is written into an address: percent-encoded. */
  public static String encode(String userOrPassword) {
    Check.notNull("userOrPassword", userOrPassword);
    return URLEncoder.encode(userOrPassword, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** The address with {@code ***} for user and password; of a faulty one, only its scheme. */
  public static String mask(String address) {
    return AddressParser.mask(Check.notNull("address", address));
  }
}
