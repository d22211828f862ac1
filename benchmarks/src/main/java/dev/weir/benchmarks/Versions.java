package dev.weir.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Collectors;

/** The versions that were built in. */
public final class Versions {
  private static final List<String> IN_PROCESS =
      List.of("Weir", "Bucket4j", "Resilience4j", "Guava", "Failsafe", "JMH");

  private Versions() {}

  static String inWords() {
    return inWords(IN_PROCESS);
  }

  public static String inWords(List<String> names) {
    Properties versions = load();
    return names.stream()
        .map(name -> name + " " + versions.getProperty(name.toLowerCase(Locale.ROOT)))
        .collect(Collectors.joining(", "));
  }

  private static Properties load() {
    Properties versions = new Properties();
    try (InputStream file = Versions.class.getResourceAsStream("versions.properties")) {
      versions.load(file);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    return versions;
  }
}
