package dev.weir.benchmarks;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs one contender under one workload, once, in a fresh JVM. */
final class Fork {
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private Fork() {}

  static Sample measure(Workload workload, Contender contender, Effort effort)
      throws RunnerException {
    Ticks before = Ticks.now();
    RunResult result = new Runner(options(workload, contender, effort).build()).runSingle();
    return new Sample(
        median(result.getPrimaryResult()),
        median(result.getSecondaryResults().get(ALLOCATED)),
        Ticks.now().shareSince(before));
  }

  /** Of the iterations: one that lost the processor for a while must not count more than others. */
  private static double median(Result<?> result) {
    return result.getStatistics().getPercentile(50);
  }

  private static ChainedOptionsBuilder options(
      Workload workload, Contender contender, Effort effort) {
    return new OptionsBuilder()
        .include(TryAcquire.class.getName() + "\\." + workload.method + "$")
        .param("contender", contender.name())
        .param("supply", workload.supply.name())
        .threads(workload.threads)
        .forks(1)
        .jvmArgsAppend("-Xms1g", "-Xmx1g")
        .warmupIterations(effort.warmups)
        .warmupTime(effort.iterationTime())
        .measurementIterations(effort.iterations)
        .measurementTime(effort.iterationTime())
        .addProfiler(GCProfiler.class)
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
  }
}
