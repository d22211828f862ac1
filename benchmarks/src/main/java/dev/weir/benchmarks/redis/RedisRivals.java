package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.Figures;
import java.util.ArrayList;
import java.util.List;

/** Says plainly where another way to ask Redis is as good as Weir, or better. */
final class RedisRivals {
  /** Gaps below this prove nothing on a shared machine: the two are level. */
  private static final double LEVEL = 1.15;

  private final RedisMeasurements measured;

  RedisRivals(RedisMeasurements measured) {
    this.measured = measured;
  }

  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    for (RedisWorkload workload : RedisWorkload.SHARED) {
      for (RedisContender peer : RedisContender.PEERS) {
        String where = workload.title + ": " + peer.title;
        add(sentences, where, "decisions", speed(workload, peer));
        add(sentences, where, "processor time of Redis", 1 / cost(workload, peer));
      }
    }
    return sentences;
  }

  private double speed(RedisWorkload workload, RedisContender peer) {
    return measured.ratio(workload, peer, RedisContender.WEIR, RedisSample::perSecond).median();
  }

  private double cost(RedisWorkload workload, RedisContender peer) {
    return measured.ratio(workload, peer, RedisContender.WEIR, RedisSample::cpuMicros).median();
  }

  private static void add(List<String> sentences, String where, String what, double advantage) {
    if (advantage * LEVEL > 1) {
      sentences.add(sentence(where, what, advantage));
    }
  }

  /** The advantage is how many times better the peer is than Weir. */
  static String sentence(String where, String what, double advantage) {
    String standing = advantage > LEVEL ? "is better than" : "is level with";
    return "%s %s Weir in %s (%s x)".formatted(where, standing, what, Figures.ratio(advantage));
  }
}
