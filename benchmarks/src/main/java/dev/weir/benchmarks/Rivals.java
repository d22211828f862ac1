package dev.weir.benchmarks;

import static dev.weir.benchmarks.Contender.WEIR_TOKEN_BUCKET;

import java.util.ArrayList;
import java.util.List;

/** Says plainly where another library is as good as Weir's token bucket, or better. */
final class Rivals {
  private final Measurements measured;

  Rivals(Measurements measured) {
    this.measured = measured;
  }

  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    for (Workload workload : Workload.values()) {
      for (Contender peer : Contender.PEERS) {
        double ratio = measured.ratio(workload, peer, WEIR_TOKEN_BUCKET).median();
        if (ratio < Targets.LEVEL) {
          sentences.add(sentence(workload.title, peer.title, ratio));
        }
      }
    }
    return sentences;
  }

  /** The ratio is the peer's time to Weir's. */
  static String sentence(String workload, String peer, double ratio) {
    String standing = ratio * Targets.LEVEL < 1 ? "is quicker than Weir" : "is level with Weir";
    return "%s: %s %s (%s x its time)".formatted(workload, peer, standing, Figures.ratio(ratio));
  }
}
