package dev.weir.benchmarks.inprocess;

import static dev.weir.benchmarks.inprocess.InProcessContender.BUCKET4J;
import static dev.weir.benchmarks.inprocess.InProcessContender.FLOOR;
import static dev.weir.benchmarks.inprocess.InProcessContender.RESILIENCE4J;
import static dev.weir.benchmarks.inprocess.InProcessContender.WEIR_TOKEN_BUCKET;

import dev.weir.benchmarks.report.PerformanceTarget;
import java.util.Comparator;
import java.util.List;

/** What Weir has promised of itself in one process: the token bucket against its peers. */
final class InProcessTargets {
  /** Gaps below this prove nothing on a shared machine: the two are level. */
  static final double LEVEL = 1.15;

  private static final long MOST_BYTES_PER_KEY = 88;

  private final InProcessMeasurements measured;

  InProcessTargets(InProcessMeasurements measured) {
    this.measured = measured;
  }

  List<PerformanceTarget> all() {
    InProcessWorkload hot = InProcessWorkload.HOT_KEY;
    InProcessWorkload contended = InProcessWorkload.HOT_KEY_CONTENDED;
    InProcessWorkload many = InProcessWorkload.MANY_KEYS;
    return List.of(
        PerformanceTarget.atMost(
            "P1",
            "hot key, 1 thread: at most 1.3 x the floor",
            1.3,
            measured.ratio(hot, WEIR_TOKEN_BUCKET, FLOOR)),
        ahead("P1", hot, BUCKET4J, 1.2),
        levelWithEveryPeer("P1", hot),
        PerformanceTarget.bytesAtMost(
            "P1",
            "hot key, 1 thread: nothing allocated",
            0,
            measured.bytes(hot, WEIR_TOKEN_BUCKET).median()),
        ahead("P2", contended, BUCKET4J, 2),
        ahead("P2", contended, RESILIENCE4J, 1.3),
        ahead("P3", many, BUCKET4J, 1.5),
        levelWithEveryPeer("P3", many),
        PerformanceTarget.bytesAtMost(
            "P4",
            "heap per key, a million keys: at most " + MOST_BYTES_PER_KEY + " B",
            MOST_BYTES_PER_KEY,
            measured.bytesPerKey(WEIR_TOKEN_BUCKET)));
  }

  private PerformanceTarget ahead(
      String number, InProcessWorkload workload, InProcessContender peer, double factor) {
    String promise = "%s: at least %s x %s".formatted(workload.title, factor, peer.title);
    return PerformanceTarget.atLeast(
        number, promise, factor, measured.ratio(workload, peer, WEIR_TOKEN_BUCKET));
  }

  private PerformanceTarget levelWithEveryPeer(String number, InProcessWorkload workload) {
    InProcessContender fastest = fastestPeer(workload);
    String promise =
        "%s: ahead of or level with every peer; the quickest is %s"
            .formatted(workload.title, fastest.title);
    return PerformanceTarget.atLeast(
        number, promise, 1 / LEVEL, measured.ratio(workload, fastest, WEIR_TOKEN_BUCKET));
  }

  private InProcessContender fastestPeer(InProcessWorkload workload) {
    return InProcessContender.PEERS.stream()
        .min(Comparator.comparing(peer -> measured.nanos(workload, peer).median()))
        .orElseThrow();
  }
}
