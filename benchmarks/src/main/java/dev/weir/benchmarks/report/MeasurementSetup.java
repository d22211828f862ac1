package dev.weir.benchmarks.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was measured, and on what: the built-in versions and the machine, in words. */
public final class MeasurementSetup {
  private static final Path CPUINFO = Path.of("/proc/cpuinfo");
  private static final double GIBIBYTE = 1L << 30;

  private MeasurementSetup() {}

  public static String machine() {
    return "%d cores of %s, %d GiB of memory, %s %s; %s %s"
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            processor(),
            Math.round(memoryBytes() / GIBIBYTE),
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            System.getProperty("java.vm.name"),
            System.getProperty("java.vm.version"));
  }

  private static double memoryBytes() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }

  private static String processor() {
    try (Stream<String> lines = Files.lines(CPUINFO)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElseGet(() -> System.getProperty("os.arch"));
    } catch (IOException elsewhere) { // the file exists only on Linux
      return System.getProperty("os.arch");
    }
  }

  /** The versions that were built in. */
  public static String versions(List<String> names) {
    Properties versions = load();
    return names.stream()
        .map(name -> name + " " + versions.getProperty(name.toLowerCase(Locale.ROOT)))
        .collect(Collectors.joining(", "));
  }

  private static Properties load() {
    Properties versions = new Properties();
    try (InputStream file = MeasurementSetup.class.getResourceAsStream("versions.properties")) {
      versions.load(file);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    return versions;
  }
}
