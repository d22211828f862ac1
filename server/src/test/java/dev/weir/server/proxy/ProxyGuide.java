package dev.weir.server.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The configurations of docs/proxies.md, as users copy them. */
final class ProxyGuide {
  private static final Path DOCUMENT = Path.of("..", "docs", "proxies.md");
  private static final String FENCE = "```";

  private ProxyGuide() {}

  static String rules() {
    return block("What rules see", "yaml");
  }

  static String nginx() {
    return block("nginx", "nginx");
  }

  /** With the other way to go on when Weir is away. */
  static String nginxOpen() {
    String site = nginx();
    int start = site.indexOf("  location @weir_away {");
    return site.substring(0, start) + block("nginx, failing open", "nginx") + "}\n";
  }

  /**
   * @param title of the section
   */
  static String caddy(String title) {
    return block(title, "");
  }

  /** The first block of a section in a language. */
  private static String block(String title, String language) {
    String section = section(read(), title);
    String fence = "\n" + FENCE + language + "\n";
    int start = section.indexOf(fence) + fence.length();
    return section.substring(start, section.indexOf(FENCE, start));
  }

  private static String section(String document, String title) {
    int start = document.indexOf("# " + title + "\n");
    if (start < 0) {
      throw new IllegalArgumentException(DOCUMENT + " has no section " + title);
    }
    int end = document.indexOf("\n#", start);
    return document.substring(start, end);
  }

  private static String read() {
    try {
      return Files.readString(DOCUMENT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
