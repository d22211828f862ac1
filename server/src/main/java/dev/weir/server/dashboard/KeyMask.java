package dev.weir.server.dashboard;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Replaces keys, which may be personal data, for viewers without administrator access. A key gets
 * the same short code as long as the process runs, so that viewers can follow it; the code cannot
 * be computed from a guessed key. Safe for many threads.
 */
final class KeyMask {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int CODE_BYTES = 4;

  private final byte[] secret = new byte[32];

  public KeyMask() {
    new SecureRandom().nextBytes(secret);
  }

  public String mask(String key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      byte[] digest = mac.doFinal(key.getBytes(StandardCharsets.UTF_8));
      byte[] code = new byte[CODE_BYTES];
      ByteBuffer.wrap(digest).get(code);
      return "key-" + HexFormat.of().formatHex(code);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
