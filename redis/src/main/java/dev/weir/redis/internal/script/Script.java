package dev.weir.redis.internal.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Collectors;

/**
 * A Lua script put together from its fragments, and its hash for EVALSHA.
 *
 * <p>A line {@code --include name.lua} is replaced by that file. Fragments share the locals of the
 * frame that includes them; functions could do that only with a closure per decision. Comments are
 * not sent to the server.
 */
public record Script(String text, String sha) {
  private static final String INCLUDE = "--include ";

  public static Script load(String name) {
    String text = assemble(name);
    return new Script(text, sha1(text));
  }

  private static String assemble(String name) {
    return read(name)
        .lines()
        .map(String::strip)
        .map(line -> line.startsWith(INCLUDE) ? assemble(line.substring(INCLUDE.length())) : line)
        .filter(line -> !line.isEmpty() && !line.startsWith("--"))
        .collect(Collectors.joining("\n"));
  }

  private static String read(String name) {
    try (InputStream in = Script.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("missing script " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha1(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.US_ASCII));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
