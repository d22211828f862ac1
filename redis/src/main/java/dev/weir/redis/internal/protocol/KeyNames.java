package dev.weir.redis.internal.protocol;

import dev.weir.Claim;
import dev.weir.internal.BoundedKey;
import dev.weir.internal.arithmetic.Meter.Form;
import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Names of Redis keys: {@code weir:1:<namespace>:{<tag>}<rule>|<key>}, and for a sliding log that
 * name with {@code |<limit>} behind it, for slots of requests in flight with {@code |slots} behind
 * that.
 *
 * <p>The tag is a hash of the key alone: on a Cluster everything about one key lives in one hash
 * slot, and no text of a user ever stands inside the braces. Plain text stays readable; anything
 * else (other characters, over 96 of them) becomes {@code #} and a digest. As {@code |}, {@code #}
 * and the braces are not plain, two different triples never share a name.
 */
public final class KeyNames {
  private static final int LONGEST_PLAIN = 96;
  private static final boolean[] PLAIN = new boolean[128];

  static {
    for (char c : "._-:@/+=,~!*()$&".toCharArray()) {
      PLAIN[c] = true;
    }
    for (char c = '0'; c <= '9'; c++) {
      PLAIN[c] = true;
    }
    for (char c = 'a'; c <= 'z'; c++) {
      PLAIN[c] = true;
      PLAIN[Character.toUpperCase(c)] = true;
    }
  }

  private final String prefix;

  public KeyNames(String namespace) {
    if (!isPlain(namespace) || namespace.isEmpty()) {
      throw new IllegalArgumentException(
          "namespace must be 1 to 96 letters, digits or ._-:@/+=,~!*()$&, was \""
              + namespace
              + "\"");
    }
    prefix = "weir:1:" + namespace + ":{";
  }

  /** The key of a claim's state: shared with the other limits of the rule, or that of its log. */
  public String of(Claim claim, boolean inLog) {
    return of(claim, inLog ? Form.LOG : Form.NUMBERS);
  }

  /** The hash slot of a claim's keys on any Cluster; needs none of their names. */
  public int slot(Claim claim) {
    return SlotHash.getSlot(tag(claim.key()).getBytes(StandardCharsets.US_ASCII));
  }

  public String of(Claim claim, Form form) {
    String key = claim.key();
    String state = prefix + tag(key) + '}' + plain(claim.policy().rule()) + '|' + plain(key);
    return switch (form) {
      case NUMBERS -> state;
      case LOG -> state + '|' + plain(claim.policy().name());
      case SLOTS -> state + '|' + plain(claim.policy().name()) + "|slots";
    };
  }

  /**
   * The key of a remembered answer, in the hash slot of the first claim of its question. It has an
   * empty text in the place of the rule, so it never equals the key of a state.
   */
  public String ofAnswer(Claim first, String name) {
    return prefix + tag(first.key()) + "}|" + name;
  }

  /** The key of a shared text. It has no {@code |}, so it never equals the key of a state. */
  public String ofText(String name) {
    return prefix + "text}" + plain(name);
  }

  /** What every key of this store starts with, for messages and access rules. */
  public String prefix() {
    return prefix;
  }

  private static String plain(String text) {
    return isPlain(text) ? text : '#' + BoundedKey.digest(text);
  }

  private static boolean isPlain(String text) {
    if (text.length() > LONGEST_PLAIN) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= PLAIN.length || !PLAIN[c]) {
        return false;
      }
    }
    return true;
  }

  /**
   * The hash tag of a key. 32 bits are enough to spread keys over 16,384 hash slots. Keys with the
   * same tag share a hash slot, not a state.
   */
  private static String tag(String key) {
    return HexFormat.of().toHexDigits(Fnv1a.of(key));
  }
}
