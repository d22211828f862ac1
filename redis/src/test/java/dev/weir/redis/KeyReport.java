package dev.weir.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What callers saw of one key during one phase of a load: in one process, or in several together.
 *
 * @param late decisions that took longer than twice the deadline
 * @param p99Micros of several processes, that of the slowest one
 * @param fallbackUntilMicros from the start of the phase to the last answer that was not the
 *     store's; 0 if there was none
 * @param calmMicros from then until the report; of several processes, the shortest
 */
record KeyReport(
    long asked,
    long admittedByStore,
    long admittedByFallback,
    long deniedByStore,
    long deniedByCache,
    long deniedByFallback,
    long late,
    long longestMicros,
    long p99Micros,
    long fallbackUntilMicros,
    long calmMicros) {

  long byFallback() {
    return admittedByFallback + deniedByFallback;
  }

  long admitted() {
    return admittedByStore + admittedByFallback;
  }

  Duration longest() {
    return Duration.ofNanos(longestMicros * 1000);
  }

  Duration fallbackUntil() {
    return Duration.ofNanos(fallbackUntilMicros * 1000);
  }

  Duration calm() {
    return Duration.ofNanos(calmMicros * 1000);
  }

  /** This and another process in the same phase, or another phase of the same process. */
  KeyReport plus(KeyReport other) {
    return new KeyReport(
        asked + other.asked,
        admittedByStore + other.admittedByStore,
        admittedByFallback + other.admittedByFallback,
        deniedByStore + other.deniedByStore,
        deniedByCache + other.deniedByCache,
        deniedByFallback + other.deniedByFallback,
        late + other.late,
        Math.max(longestMicros, other.longestMicros),
        Math.max(p99Micros, other.p99Micros),
        Math.max(fallbackUntilMicros, other.fallbackUntilMicros),
        Math.min(calmMicros, other.calmMicros));
  }

  static KeyReport parse(String line) {
    long[] n = Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
    return new KeyReport(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10]);
  }

  String toLine() {
    return LongStream.of(
            asked,
            admittedByStore,
            admittedByFallback,
            deniedByStore,
            deniedByCache,
            deniedByFallback,
            late,
            longestMicros,
            p99Micros,
            fallbackUntilMicros,
            calmMicros)
        .mapToObj(String::valueOf)
        .collect(Collectors.joining(" "));
  }
}
