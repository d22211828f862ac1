package dev.weir.redis.internal.protocol;

/** A 32-bit hash of text that is the same in every process and version: FNV-1a over UTF-16. */
final class Fnv1a {
  private static final int OFFSET = 0x811c9dc5;
  private static final int PRIME = 0x01000193;

  private Fnv1a() {}

  static int of(String text) {
    int hash = OFFSET;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      hash = (hash ^ c & 0xff) * PRIME;
      hash = (hash ^ c >>> 8) * PRIME;
    }
    return hash ^ hash >>> 15; // FNV's last bytes mix little
  }
}
