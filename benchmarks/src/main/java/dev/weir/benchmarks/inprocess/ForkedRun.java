package dev.weir.benchmarks.inprocess;

import dev.weir.benchmarks.inprocess.LimiterLibrary.InProcessContender;
import dev.weir.benchmarks.inprocess.TryAcquire.InProcessWorkload;
import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.ProcessorTicks;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs one contender under one workload, once, in a fresh JVM. */
final class ForkedRun {
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private ForkedRun() {}

  static InProcessSample measure(
      InProcessWorkload workload, InProcessContender contender, InProcessTiming timing)
      throws RunnerException {
    ProcessorTicks before = ProcessorTicks.now();
    RunResult result = new Runner(options(workload, contender, timing).build()).runSingle();
    return new InProcessSample(
        median(result.getPrimaryResult()),
        median(result.getSecondaryResults().get(ALLOCATED)),
        ProcessorTicks.now().shareSince(before));
  }

  /** Of the iterations: one that lost the processor for a while must not count more than others. */
  private static double median(Result<?> result) {
    return result.getStatistics().getPercentile(50);
  }

  private static ChainedOptionsBuilder options(
      InProcessWorkload workload, InProcessContender contender, InProcessTiming timing) {
    return new OptionsBuilder()
        .include(TryAcquire.class.getName() + "\\." + workload.method + "$")
        .param("contender", contender.name())
        .param("supply", workload.supply.name())
        .threads(workload.threads)
        .forks(1)
        .jvmArgsAppend("-Xms1g", "-Xmx1g")
        .warmupIterations(timing.warmups)
        .warmupTime(timing.iterationTime())
        .measurementIterations(timing.iterations)
        .measurementTime(timing.iterationTime())
        .addProfiler(GCProfiler.class)
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
  }

  /**
   * One contender in one round.
   *
   * @param nanos per decision and thread
   * @param bytes allocated per decision
   * @param disturbed the share of the processors that other programs used meanwhile
   */
  record InProcessSample(double nanos, double bytes, double disturbed) {}

  /** How long to measure. */
  enum InProcessTiming {
    SHORT(3, 6, 9, 100),
    FULL(7, 10, 20, 250);

    final int rounds;
    final int warmups;
    final int iterations;
    private final long iterationMillis;

    InProcessTiming(int rounds, int warmups, int iterations, long iterationMillis) {
      this.rounds = rounds;
      this.warmups = warmups;
      this.iterations = iterations;
      this.iterationMillis = iterationMillis;
    }

    static InProcessTiming of(Effort effort) {
      return switch (effort) {
        case SHORT -> SHORT;
        case FULL -> FULL;
      };
    }

    TimeValue iterationTime() {
      return TimeValue.milliseconds(iterationMillis);
    }

    String inWords() {
      return "%d interleaved rounds, each a fresh JVM with %d warm-up and %d measured iterations"
          .concat(" of %d ms")
          .formatted(rounds, warmups, iterations, iterationMillis);
    }
  }
}
