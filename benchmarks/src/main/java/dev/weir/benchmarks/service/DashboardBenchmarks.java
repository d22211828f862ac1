package dev.weir.benchmarks.service;

import dev.weir.benchmarks.report.MedianAndRange;
import dev.weir.benchmarks.service.HttpLoad.LoadShape;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * The command {@code pages}: what ten open pages of the dashboard cost the service, while nothing
 * else happens and under load. Pages are opened and closed in turns on one warm service, so that a
 * noisy machine is as noisy for both.
 */
public final class DashboardBenchmarks {
  private static final int PAGES = 10;
  private static final double WARM_UP_SECONDS = 12;
  private static final int WARM_UP_ANSWERS = 10_000;
  private static final double SECONDS = 3;

  /** Until the compiler is done with what runs once a second, which would count as the pages'. */
  private static final Duration SETTLE = Duration.ofSeconds(30);

  private final ServiceProcess service;
  private final int rounds;
  private final Duration idle;

  private DashboardBenchmarks(ServiceProcess service, boolean isShort) {
    this.service = service;
    this.rounds = isShort ? 3 : 15;
    this.idle = Duration.ofSeconds(isShort ? 10 : 30);
  }

  public static void run(boolean isShort) throws IOException, InterruptedException {
    try (ServiceProcess service = ServiceProcess.start(ServiceVariant.ONE_LIMIT)) {
      DashboardBenchmarks benchmarks = new DashboardBenchmarks(service, isShort);
      benchmarks.load(LoadShape.IN_ROWS, WARM_UP_SECONDS);
      OpenPages.warmUp(service.port(), WARM_UP_ANSWERS);
      benchmarks.compareIdle();
      benchmarks.compareLoaded();
    }
  }

  private void compareIdle() throws IOException, InterruptedException {
    print(
        "service without requests, %d s each      processor time, %% of a core%n",
        idle.toSeconds());
    double never = idle(0);
    double open = idle(PAGES);
    double closed = idle(0);
    print("before a page was open   %14.2f%n", never);
    print("%d pages open            %14.2f   (target: at most 2 more)%n", PAGES, open);
    print("all pages closed again   %14.2f%n%n", closed);
  }

  /** The processor time of the service in percent of one core. */
  private double idle(int pages) throws IOException, InterruptedException {
    OpenPages open = OpenPages.of(service.port(), pages);
    try {
      pause(SETTLE);
      Duration before = service.processorTime();
      long start = System.nanoTime();
      pause(idle);
      double nanos = service.processorTime().minus(before).toNanos();
      return 100 * nanos / (System.nanoTime() - start);
    } finally {
      open.close();
    }
  }

  private void compareLoaded() throws IOException, InterruptedException {
    List<Double> ratios = new ArrayList<>();
    print("requests one at a time on 16 connections, %d rounds of %.0f s%n", rounds, SECONDS);
    for (int round = 0; round < rounds; round++) {
      double without = loaded(0);
      double with = loaded(PAGES);
      ratios.add(with / without);
      print("round %2d: %,8.0f/s without pages, %,8.0f/s with%n", round + 1, without, with);
    }
    MedianAndRange ratio = MedianAndRange.of(ratios);
    print(
        "with %d pages / without: %.3f (%.3f to %.3f)%n",
        PAGES, ratio.median(), ratio.least(), ratio.most());
  }

  private double loaded(int pages) throws IOException, InterruptedException {
    OpenPages open = OpenPages.of(service.port(), pages);
    try {
      return load(LoadShape.ONE_AT_A_TIME, SECONDS);
    } finally {
      open.close();
    }
  }

  private double load(LoadShape shape, double seconds) throws IOException, InterruptedException {
    return new HttpLoad(service.port(), shape, ServiceBenchmarks::body).perSecond(seconds);
  }

  private static void pause(Duration pause) {
    LockSupport.parkNanos(pause.toNanos());
  }

  private static void print(String format, Object... values) {
    System.out.printf(Locale.ROOT, format, values);
  }
}
