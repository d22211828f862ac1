package dev.weir.benchmarks.soak;

import dev.weir.benchmarks.soak.AnswerStatistics.WindowRange;
import dev.weir.benchmarks.soak.CheckAnswer.RequestKind;
import dev.weir.benchmarks.soak.Disturbances.DisturbanceLog;
import dev.weir.benchmarks.soak.Disturbances.DisturbanceTimeline;
import dev.weir.testkit.RedisProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The program: loads and disturbs two instances of the service, and reports the result. */
public final class Soak {
  private static final int WRONG_USE = 2;
  private static final int SHOWN = 20;
  private static final long WARM_UP_MILLIS = 8000;
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final int minutes;
  private final boolean terminal;
  private final DisturbanceTimeline timeline = new DisturbanceTimeline();
  private final AnswerStatistics statistics = new AnswerStatistics(timeline);
  private final List<ServiceInstance> instances = new ArrayList<>();

  private Soak(int minutes, boolean terminal) {
    this.minutes = minutes;
    this.terminal = terminal;
  }

  /** Returns the exit code: 0 if all was as promised, 1 if not, 2 for wrong use. */
  public static int run(String... arguments) throws IOException, InterruptedException {
    try {
      int minutes = SoakOptions.parse(arguments).minutes();
      return new Soak(minutes, System.console() != null).run();
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage() + "\n" + SoakOptions.USAGE);
      return WRONG_USE;
    }
  }

  private int run() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("weir-soak");
    Path rules = Files.writeString(folder.resolve("rules.yaml"), SoakRules.version(0));
    File log = folder.resolve("service.log").toFile();
    try (RedisProcess redis = RedisProcess.start()) {
      for (int i = 0; i < SoakRules.INSTANCES; i++) {
        instances.add(new ServiceInstance(redis.uri(), rules, log));
      }
      boolean passed = disturb(new Disturbances(redis, instances, rules, timeline));
      end(passed, rules, log);
      return passed ? 0 : 1;
    } finally {
      instances.forEach(ServiceInstance::close);
    }
  }

  private boolean disturb(Disturbances disturbances) throws IOException, InterruptedException {
    warmUp();
    StallWatch stalls = StallWatch.watch();
    long start = System.currentTimeMillis();
    long end = start + minutes * 60_000L;
    SoakLoad load = new SoakLoad(instances, statistics);
    try {
      disturbances.run(start, end, this::show);
    } finally {
      load.end();
    }
    disturbances.measure(minutes * 60_000L);
    return judge(WindowRange.within(start, end), disturbances.log(stalls.longestMillis()));
  }

  /** Answers of instances that have just started are slow and are not counted. */
  private void warmUp() throws InterruptedException {
    SoakLoad load = new SoakLoad(instances, new AnswerStatistics(new DisturbanceTimeline()));
    show(minutes * 60_000L, "warming up");
    Thread.sleep(WARM_UP_MILLIS);
    load.end();
  }

  private boolean judge(WindowRange windows, DisturbanceLog log) {
    System.out.print(terminal ? CLEAR_LINE : "");
    System.out.print(new SoakReport(statistics, timeline, windows, log).render());
    List<String> wrong = SoakVerdict.of(statistics, timeline, windows, log);
    wrong.stream().limit(SHOWN).forEach(words -> System.out.println("wrong: " + words));
    if (wrong.size() > SHOWN) {
      System.out.println("and " + (wrong.size() - SHOWN) + " more");
    }
    return wrong.isEmpty();
  }

  /** Keeps the log if the soak has failed. */
  private static void end(boolean passed, Path rules, File log) throws IOException {
    if (passed) {
      Files.delete(rules);
      Files.delete(log.toPath());
      Files.delete(rules.getParent());
    } else {
      System.out.println("The log of the service: " + log);
    }
  }

  private void show(long leftMillis, String what) {
    if (terminal) {
      long seconds = leftMillis / 1000;
      System.out.printf("%s%d:%02d left: %s", CLEAR_LINE, seconds / 60, seconds % 60, what);
      System.out.flush();
    }
  }

  /**
   * Measures how long the machine delays a sleeping thread: by so much an answer may be late
   * without a fault of the service. Safe for many threads.
   */
  static final class StallWatch {
    private static final long NAP_MILLIS = 5;

    private volatile long longestMillis;

    /** Watches from now on, until the program ends. */
    static StallWatch watch() {
      StallWatch stalls = new StallWatch();
      Thread thread = new Thread(stalls::nap, "stalls");
      thread.setDaemon(true);
      thread.start();
      return stalls;
    }

    long longestMillis() {
      return longestMillis;
    }

    private void nap() {
      try {
        while (true) {
          long start = System.nanoTime();
          Thread.sleep(NAP_MILLIS);
          long late = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) - NAP_MILLIS;
          longestMillis = Math.max(longestMillis, late);
        }
      } catch (InterruptedException ended) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * The options of the command line.
   *
   * @param minutes of load
   */
  record SoakOptions(int minutes) {
    static final String USAGE =
        """
        usage: java -jar benchmarks/target/benchmarks.jar soak [--minutes N]
          --minutes N   how long to load and disturb the service: 1 to 120, 5 unless given\
        """;

    private static final int LONGEST = 120;

    static SoakOptions parse(String... arguments) {
      int minutes = 5;
      for (int i = 0; i < arguments.length; i++) {
        if (!arguments[i].equals("--minutes")) {
          throw new IllegalArgumentException("unknown option, was " + arguments[i]);
        }
        minutes = minutes(++i < arguments.length ? arguments[i] : "nothing");
      }
      return new SoakOptions(minutes);
    }

    private static int minutes(String text) {
      int minutes = text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : 0;
      if (minutes < 1 || minutes > LONGEST) {
        throw new IllegalArgumentException("--minutes must be from 1 to 120, was " + text);
      }
      return minutes;
    }
  }

  /** A steady load on all instances, from a few threads for each. */
  static final class SoakLoad {
    static final int PER_SECOND = 1000;

    private static final int THREADS_PER_INSTANCE = 4;
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PATIENCE_MILLIS = 10_000;

    private final AnswerStatistics statistics;
    private final long pauseNanos;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ended;

    SoakLoad(List<ServiceInstance> instances, AnswerStatistics statistics) {
      this.statistics = statistics;
      int clients = instances.size() * THREADS_PER_INSTANCE;
      pauseNanos = TimeUnit.SECONDS.toNanos(clients) / PER_SECOND;
      for (int i = 0; i < clients; i++) {
        ServiceInstance instance = instances.get(i % instances.size());
        int first = i;
        threads.add(new Thread(() -> askInTurn(instance, first), "load-" + i));
      }
      threads.forEach(Thread::start);
    }

    private void askInTurn(ServiceInstance instance, int first) {
      long next = System.nanoTime() + first * pauseNanos / threads.size();
      for (int turn = first; !ended; turn++) {
        LockSupport.parkNanos(next - System.nanoTime());
        ask(instance, RequestKind.values()[turn % RequestKind.values().length]);
        next = Math.max(next + pauseNanos, System.nanoTime() - LATE_NANOS);
      }
    }

    private void ask(ServiceInstance instance, RequestKind kind) {
      try {
        statistics.add(instance.ask(kind));
      } catch (IOException failed) {
        statistics.fault(kind + " got no answer: " + failed);
      } catch (InterruptedException stopped) {
        ended = true;
      }
    }

    /** Sends no more requests, and waits for the answers that are under way. */
    void end() throws InterruptedException {
      ended = true;
      for (Thread thread : threads) {
        thread.join(PATIENCE_MILLIS);
      }
    }
  }
}
