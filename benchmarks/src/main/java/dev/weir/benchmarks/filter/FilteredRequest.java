package dev.weir.benchmarks.filter;

import com.sun.management.ThreadMXBean;
import dev.weir.benchmarks.report.MedianAndRange;
import dev.weir.benchmarks.report.ProbeProcess;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * One allowed request through one filter, or the bare decision inside it: CPU time of the thread,
 * which other programs disturb less than the time that passes.
 */
final class FilteredRequest {
  private static final int WARM_UP = 400_000;
  private static final int BATCHES = 9;
  private static final int BATCH = 100_000;

  private FilteredRequest() {}

  /** Runs {@link FilterProbe} for one contender in a fresh JVM; returns nanoseconds per request. */
  static double nanos(FilterContender contender) throws IOException, InterruptedException {
    // Compiling on the measured thread: else a busy machine never gets to it.
    return ProbeProcess.run(FilterProbe.class, contender.name(), "-Xmx512m", "-Xbatch");
  }

  static String inWords() {
    return "%,d requests in batches of %,d after %,d to warm up"
        .formatted(BATCHES * BATCH, BATCH, WARM_UP);
  }

  /** Prints the CPU time of one request in nanoseconds: the median of some batches. */
  static final class FilterProbe {
    private final PlainRequest request = new PlainRequest();
    private final PlainResponse response = new PlainResponse();
    private final FilterContender contender;
    private long passed;

    private FilterProbe(FilterContender contender) {
      this.contender = contender;
    }

    public static void main(String[] arguments) throws IOException, ServletException {
      System.out.println(new FilterProbe(FilterContender.valueOf(arguments[0])).nanos());
    }

    private double nanos() throws IOException, ServletException {
      Runnable decision = contender.decision();
      Filter filter = decision == null ? contender.filter() : null;
      run(decision, filter, WARM_UP);
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      List<Double> batches = new ArrayList<>();
      for (int i = 0; i < BATCHES; i++) {
        long start = threads.getCurrentThreadCpuTime();
        run(decision, filter, BATCH);
        batches.add((double) (threads.getCurrentThreadCpuTime() - start) / BATCH);
      }
      if (filter != null && passed != WARM_UP + (long) BATCHES * BATCH) {
        throw new IllegalStateException(contender + " has denied a request");
      }
      return MedianAndRange.of(batches).median();
    }

    private void run(Runnable decision, Filter filter, int requests)
        throws IOException, ServletException {
      for (int i = 0; i < requests; i++) {
        if (decision == null) {
          filter.doFilter(request.renewed(), response.renewed(), (on, out) -> passed++);
        } else {
          decision.run();
        }
      }
    }
  }
}
