package dev.weir.server.http.dashboard;

import dev.weir.server.http.Exchange;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** One file of the page, read once from the class path. Immutable. */
final class PageFile {
  /**
   * Nothing but files and calls of this service: no inline script or style, no frame around the
   * page, no form that leads elsewhere. A key that a client made up cannot become code.
   */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private final String type;
  private final Buffer content;
  private final String tag;

  private PageFile(String type, byte[] content) {
    this.type = type;
    this.content = Buffer.buffer(content);
    this.tag = '"' + checksum(content) + '"';
  }

  /** A file of our own, which a class of the same module must ask for. */
  static PageFile own(String type, String name) {
    return read(
        type, name, PageFile.class.getResourceAsStream("/dev/weir/server/dashboard/" + name));
  }

  /** A file of another artifact. */
  static PageFile ofLibrary(String type, String name) {
    return read(type, name, PageFile.class.getClassLoader().getResourceAsStream(name));
  }

  private static PageFile read(String type, String name, @Nullable InputStream found) {
    try (InputStream in = found) {
      if (in == null) {
        throw new IllegalStateException("the dashboard lacks its file " + name);
      }
      return new PageFile(type, in.readAllBytes());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static String checksum(byte[] content) {
    CRC32C sum = new CRC32C();
    sum.update(content);
    return HexFormat.of().toHexDigits((int) sum.getValue());
  }

  void answer(Exchange exchange) {
    exchange
        .response()
        .putHeader("Content-Security-Policy", POLICY)
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader("Referrer-Policy", "no-referrer")
        .putHeader("Cross-Origin-Opener-Policy", "same-origin")
        .putHeader("Cross-Origin-Resource-Policy", "same-origin")
        .putHeader("Cache-Control", "no-cache")
        .putHeader("Vary", "Accept")
        .putHeader("ETag", tag);
    if (tag.equals(exchange.request().getHeader("If-None-Match"))) {
      exchange.answerWithoutBody(304);
    } else {
      exchange.answer(200, type, content);
    }
  }
}
