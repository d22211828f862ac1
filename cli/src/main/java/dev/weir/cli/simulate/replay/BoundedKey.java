package dev.weir.cli.simulate.replay;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A key as statistics hold it: a long one is its beginning and a digest of the whole. */
final class BoundedKey {
  private static final int LONGEST = 200;
  private static final int BEGINNING = 150;

  private BoundedKey() {}

  static String of(String key) {
    return key.length() <= LONGEST ? key : key.substring(0, BEGINNING) + "..." + digest(key);
  }

  private static String digest(String key) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_16BE));
      return HexFormat.of().formatHex(hash, 0, 16);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }
}
