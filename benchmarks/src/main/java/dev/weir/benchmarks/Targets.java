package dev.weir.benchmarks;

import static dev.weir.benchmarks.Contender.BUCKET4J;
import static dev.weir.benchmarks.Contender.FLOOR;
import static dev.weir.benchmarks.Contender.RESILIENCE4J;
import static dev.weir.benchmarks.Contender.WEIR_TOKEN_BUCKET;

import java.util.Comparator;
import java.util.List;

/** What Weir has promised of itself in one process: the token bucket against its peers. */
final class Targets {
  /** Gaps below this prove nothing on a shared machine: the two are level. */
  static final double LEVEL = 1.15;

  private static final long MOST_BYTES_PER_KEY = 88;

  private final Measurements measured;

  Targets(Measurements measured) {
    this.measured = measured;
  }

  List<Target> all() {
    Workload hot = Workload.HOT_KEY;
    Workload contended = Workload.HOT_KEY_CONTENDED;
    Workload many = Workload.MANY_KEYS;
    return List.of(
        Target.atMost(
            "P1",
            "hot key, 1 thread: at most 1.3 x the floor",
            1.3,
            measured.ratio(hot, WEIR_TOKEN_BUCKET, FLOOR)),
        ahead("P1", hot, BUCKET4J, 1.2),
        levelWithEveryPeer("P1", hot),
        Target.bytesAtMost(
            "P1",
            "hot key, 1 thread: nothing allocated",
            0,
            measured.bytes(hot, WEIR_TOKEN_BUCKET).median()),
        ahead("P2", contended, BUCKET4J, 2),
        ahead("P2", contended, RESILIENCE4J, 1.3),
        ahead("P3", many, BUCKET4J, 1.5),
        levelWithEveryPeer("P3", many),
        Target.bytesAtMost(
            "P4",
            "heap per key, a million keys: at most " + MOST_BYTES_PER_KEY + " B",
            MOST_BYTES_PER_KEY,
            measured.bytesPerKey(WEIR_TOKEN_BUCKET)));
  }

  private Target ahead(String number, Workload workload, Contender peer, double factor) {
    String promise = "%s: at least %s x %s".formatted(workload.title, factor, peer.title);
    return Target.atLeast(
        number, promise, factor, measured.ratio(workload, peer, WEIR_TOKEN_BUCKET));
  }

  private Target levelWithEveryPeer(String number, Workload workload) {
    Contender fastest = fastestPeer(workload);
    String promise =
        "%s: ahead of or level with every peer; the quickest is %s"
            .formatted(workload.title, fastest.title);
    return Target.atLeast(
        number, promise, 1 / LEVEL, measured.ratio(workload, fastest, WEIR_TOKEN_BUCKET));
  }

  private Contender fastestPeer(Workload workload) {
    return Contender.PEERS.stream()
        .min(Comparator.comparing(peer -> measured.nanos(workload, peer).median()))
        .orElseThrow();
  }
}
