package dev.weir.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What the numbers were measured on. */
public final class Machine {
  private static final Path CPUINFO = Path.of("/proc/cpuinfo");
  private static final double GIBIBYTE = 1L << 30;

  private Machine() {}

  public static String inWords() {
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
    } catch (IOException elsewhere) { // only Linux tells the model in a file
      return System.getProperty("os.arch");
    }
  }
}
