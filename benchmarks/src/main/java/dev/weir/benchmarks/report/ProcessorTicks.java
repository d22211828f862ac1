package dev.weir.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Processor time since the machine started, as Linux counts it; elsewhere unknown, and all zero.
 *
 * <p>On a shared machine the time of others explains more than any difference of two libraries.
 *
 * @param total of all processors, idle or not
 * @param others not idle, and not used by this program or its ended forks
 */
public record ProcessorTicks(long total, long others) {
  private static final Path ALL = Path.of("/proc/stat");
  private static final Path OWN = Path.of("/proc/self/stat");

  public static ProcessorTicks now() {
    try {
      return parse(Files.readString(ALL), Files.readString(OWN));
    } catch (IOException elsewhere) {
      return new ProcessorTicks(0, 0);
    }
  }

  /** The formats are those of proc(5); what virtual guests use is left out, as it counts twice. */
  static ProcessorTicks parse(String all, String own) {
    String[] cpu = all.lines().findFirst().orElseThrow().split(" +");
    long total = sum(cpu, 1, 8);
    long idle = sum(cpu, 4, 5);
    String afterName = own.substring(own.lastIndexOf(')') + 2); // a name may hold blanks
    long mine = sum(afterName.split(" "), 11, 14); // own and children's, user and system
    return new ProcessorTicks(total, total - idle - mine);
  }

  /** The share of others in all there was, between 0 and 1. */
  public double shareSince(ProcessorTicks earlier) {
    long passed = total - earlier.total;
    return passed == 0 ? 0 : Math.max(0, (double) (others - earlier.others) / passed);
  }

  private static long sum(String[] fields, int first, int last) {
    long sum = 0;
    for (int i = first; i <= last; i++) {
      sum += Long.parseLong(fields[i]);
    }
    return sum;
  }
}
