package dev.weir.internal;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Bounds the length of keys: clients choose keys, which are kept in tables and caches, so a client
 * must not choose how much memory a key takes.
 */
public final class BoundedKey {
  /** The longest key that is kept as it is. */
  public static final int MAX_LENGTH = 256;

  private static final int DIGEST_BYTES = 20;

  private BoundedKey() {}

  /** The key itself, or {@code #} and a digest of a key over 256 characters. */
  public static String of(String key) {
    return key.length() <= MAX_LENGTH ? key : '#' + digest(key);
  }

  /**
   * The first 160 bits of a SHA-256, in hexadecimal. It is computed over UTF-16, in which lone
   * surrogates stay distinct; UTF-8 would replace them.
   */
  public static String digest(String text) {
    try {
      ByteBuffer units = ByteBuffer.allocate(2 * text.length());
      units.asCharBuffer().put(text);
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(units.array());
      return HexFormat.of().formatHex(hash, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
