package dev.weir.cli.serve;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;

/** Sends one request to a service, so that all classes it needs are loaded. */
final class ClassLoadingWarmUp {
  private static final byte[] QUESTION =
      "{\"attributes\": {\"path\": \"/api/items\", \"user\": \"ann\"}}"
          .getBytes(StandardCharsets.UTF_8);

  private ClassLoadingWarmUp() {}

  static void ask(int port) {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) new URL("http://localhost:" + port + "/v1/check").openConnection();
      connection.setDoOutput(true);
      try (OutputStream body = connection.getOutputStream()) {
        body.write(QUESTION);
      }
      connection.getInputStream().readAllBytes();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
