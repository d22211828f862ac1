package dev.weir.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.openjdk.jmh.runner.RunnerException;

/** Runs all contenders in turn, round after round, so that what disturbs one disturbs all. */
final class Rounds {
  private static final int ATTEMPTS = 3;
  private static final double QUIET = 0.1;

  private final Effort effort;
  private final Progress progress;
  private final Measurements measured = new Measurements();

  Rounds(Effort effort, Progress progress) {
    this.effort = effort;
    this.progress = progress;
  }

  Measurements run() throws RunnerException, IOException, InterruptedException {
    for (Contender contender : Contender.values()) {
      progress.next("heap per key", contender.title);
      measured.setBytesPerKey(contender, HeapFork.bytesPerKey(contender));
    }
    for (int round = 0; round < effort.rounds; round++) {
      for (Workload workload : Workload.values()) {
        take(round, workload);
      }
    }
    progress.end();
    return measured;
  }

  private void take(int round, Workload workload) throws RunnerException {
    for (Contender contender : order(round)) {
      progress.next(
          "round %d of %d, %s".formatted(round + 1, effort.rounds, workload.title),
          contender.title);
      measured.add(workload, contender, leastDisturbed(workload, contender));
    }
  }

  /** Tries again when other programs were busy; never by the result, which would be choosing. */
  private Sample leastDisturbed(Workload workload, Contender contender) throws RunnerException {
    Sample best = Fork.measure(workload, contender, effort);
    for (int attempt = 1; attempt < ATTEMPTS && best.disturbed() > QUIET; attempt++) {
      Sample again = Fork.measure(workload, contender, effort);
      best = again.disturbed() < best.disturbed() ? again : best;
    }
    return best;
  }

  /** Another contender begins in each round: none is always the one after a pause. */
  private static List<Contender> order(int round) {
    List<Contender> order = new ArrayList<>(List.of(Contender.values()));
    Collections.rotate(order, -round);
    return order;
  }

  static int steps(Effort effort) {
    return Contender.values().length * (1 + effort.rounds * Workload.values().length);
  }
}
