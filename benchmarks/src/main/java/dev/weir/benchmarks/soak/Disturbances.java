package dev.weir.benchmarks.soak;

import dev.weir.benchmarks.soak.Disturbances.DisturbanceTimeline.Act;
import dev.weir.benchmarks.soak.ServiceInstance.InstanceMain;
import dev.weir.benchmarks.soak.ServiceInstance.Vitals;
import dev.weir.testkit.RedisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/**
 * What is done to the service while it is under load, in cycles of the same plan. Used by one
 * thread.
 */
final class Disturbances {
  private static final long CYCLE_MILLIS = 40_000;

  /** The load ends in quiet: nothing begins in its last seconds. */
  private static final long QUIET_MILLIS = 12_000;

  private final RedisProcess redis;
  private final List<ServiceInstance> instances;
  private final Path rules;
  private final DisturbanceTimeline timeline;
  private final List<List<Vitals>> vitals = new ArrayList<>();
  private int cycles;
  private int versions;
  private int faultyVersions;
  private int puts;
  private int faults;

  Disturbances(
      RedisProcess redis,
      List<ServiceInstance> instances,
      Path rules,
      DisturbanceTimeline timeline) {
    this.redis = redis;
    this.instances = instances;
    this.rules = rules;
    this.timeline = timeline;
    instances.forEach(each -> vitals.add(new ArrayList<>()));
  }

  private interface Action {
    void run() throws IOException, InterruptedException;
  }

  private record PlannedAction(int atSecond, String inWords, Action action) {}

  private List<PlannedAction> plan() {
    return List.of(
        new PlannedAction(3, "the rules are rewritten", this::rewrite),
        new PlannedAction(6, "one instance is given rules over HTTP", this::put),
        new PlannedAction(9, "Redis forgets its scripts", () -> redis.command("SCRIPT", "FLUSH")),
        new PlannedAction(12, "Redis is killed, and comes back empty", this::kill),
        new PlannedAction(21, "the rules are rewritten with a fault", this::rewriteFaulty),
        new PlannedAction(26, "Redis is suspended", this::suspend),
        new PlannedAction(34, "the rules are rewritten", this::rewrite),
        new PlannedAction(38, "heaps are measured", () -> measure(cycles * CYCLE_MILLIS + 38_000)));
  }

  /**
   * Disturbs until shortly before the end.
   *
   * @param progress receives how many milliseconds are left, and the current action
   */
  void run(long startMillis, long endMillis, BiConsumer<Long, String> progress)
      throws IOException, InterruptedException {
    for (; startMillis + cycles * CYCLE_MILLIS < endMillis; cycles++) {
      for (PlannedAction planned : plan()) {
        long at = startMillis + cycles * CYCLE_MILLIS + planned.atSecond * 1000L;
        if (at <= endMillis - QUIET_MILLIS) {
          sleepUntil(at);
          progress.accept(endMillis - at, planned.inWords);
          planned.action.run();
        }
      }
    }
    progress.accept(Math.max(0, endMillis - System.currentTimeMillis()), "quiet");
    sleepUntil(endMillis);
  }

  private void rewrite() throws IOException {
    write(SoakRules.version(++versions));
  }

  private void rewriteFaulty() throws IOException {
    faultyVersions++;
    write(SoakRules.FAULTY);
  }

  /** Beside it, then renamed: no reader sees half of it. */
  private void write(String yaml) throws IOException {
    Path beside = rules.resolveSibling("next");
    Files.writeString(beside, yaml);
    Files.move(beside, rules, StandardCopyOption.ATOMIC_MOVE);
  }

  private void put() throws IOException, InterruptedException {
    int status = instances.get(0).putRules(SoakRules.version(++puts));
    if (status != 200) {
      throw new IOException("rules given over HTTP must be answered 200, was " + status);
    }
  }

  /** For seconds and for less than a window, in turns. */
  private void kill() throws InterruptedException {
    begin(Act.KILLED);
    redis.kill();
    Thread.sleep(cycles % 2 == 0 ? 3000 : 600);
    redis.restart();
    timeline.end(System.currentTimeMillis());
  }

  private void suspend() throws InterruptedException {
    begin(Act.SUSPENDED);
    redis.suspend();
    Thread.sleep(2000);
    redis.resume();
    timeline.end(System.currentTimeMillis());
  }

  private void begin(Act act) {
    faults++;
    timeline.begin(act, System.currentTimeMillis());
  }

  /**
   * Measures the heap. The requested garbage collection stops the instance, which is not a fault of
   * the service.
   */
  void measure(long afterMillis) throws IOException, InterruptedException {
    timeline.begin(Act.MEASURED, System.currentTimeMillis());
    for (int i = 0; i < instances.size(); i++) {
      vitals.get(i).add(instances.get(i).vitals(afterMillis));
    }
    timeline.end(System.currentTimeMillis());
  }

  private static void sleepUntil(long millis) throws InterruptedException {
    Thread.sleep(Math.max(0, millis - System.currentTimeMillis()));
  }

  /**
   * What was done.
   *
   * @param stallMillis the longest that the machine kept a thread from running meanwhile
   */
  DisturbanceLog log(long stallMillis) {
    return new DisturbanceLog(
        versions, faultyVersions, puts, faults, stallMillis, List.copyOf(vitals));
  }

  /**
   * What was done to the service, and its vital signs meanwhile.
   *
   * @param versions of the rules written without a fault
   * @param puts versions given to the first instance over HTTP
   * @param faults of Redis
   * @param stallMillis the longest that the machine kept a thread from running
   * @param vitals of each instance, in order
   */
  record DisturbanceLog(
      int versions,
      int faultyVersions,
      int puts,
      int faults,
      long stallMillis,
      List<List<Vitals>> vitals) {
    private static final long NOISE_MILLIS = 200;

    /** The deadline, and what a busy machine may add to it. */
    long longestAnswerMillis() {
      return InstanceMain.DEADLINE.toMillis() + NOISE_MILLIS + stallMillis;
    }

    /** As many as this instance must have taken, counted from 1. */
    int rulesVersion(int instance) {
      return 1 + versions + (instance == 0 ? puts : 0);
    }
  }

  /** When something was done to Redis or to an instance. Written by one thread, read by many. */
  static final class DisturbanceTimeline {
    /** How long after a fault answers may still be those of the failure policy. */
    static final long GRACE_MILLIS = 5000;

    /** How exactly the begin and the end of a fault are known. */
    private static final long SLACK_MILLIS = 500;

    private static final long NOT_YET = Long.MAX_VALUE / 2;

    private final List<ActInterval> intervals = new CopyOnWriteArrayList<>();

    /** What was done. */
    enum Act {
      /** Redis was killed and started again, empty. */
      KILLED,
      /** Redis was suspended and resumed. */
      SUSPENDED,
      /** An instance was made to collect its garbage. */
      MEASURED
    }

    private record ActInterval(Act act, long beginMillis, long endMillis) {
      boolean touches(long fromMillis, long toMillis) {
        return beginMillis <= toMillis && endMillis + GRACE_MILLIS >= fromMillis;
      }
    }

    /** Before it is done. */
    void begin(Act act, long nowMillis) {
      intervals.add(new ActInterval(act, nowMillis, NOT_YET));
    }

    /** After what began last is undone. */
    void end(long nowMillis) {
      ActInterval last = intervals.get(intervals.size() - 1);
      intervals.set(intervals.size() - 1, new ActInterval(last.act, last.beginMillis, nowMillis));
    }

    /** Whether no fault lasted in this time or ended shortly before it. */
    boolean wellBetween(long fromMillis, long toMillis) {
      return intervals.stream().noneMatch(interval -> interval.touches(fromMillis, toMillis));
    }

    /** Whether an instance was made to collect its garbage in this time. */
    boolean measuredBetween(long fromMillis, long toMillis) {
      return intervals.stream()
          .filter(interval -> interval.act == Act.MEASURED)
          .anyMatch(
              interval -> interval.beginMillis <= toMillis && interval.endMillis >= fromMillis);
    }

    /** How many states Redis can have had in this time: one at first, one more after each kill. */
    long livesBetween(long fromMillis, long toMillis) {
      return 1
          + intervals.stream()
              .filter(interval -> interval.act == Act.KILLED)
              .filter(interval -> interval.beginMillis > fromMillis - SLACK_MILLIS)
              .filter(interval -> interval.endMillis < toMillis + SLACK_MILLIS)
              .count();
    }

    /** Milliseconds since the latest fault ended; 0 while one lasts, or if there was none. */
    long sinceEndMillis(long nowMillis) {
      return intervals.stream()
          .mapToLong(interval -> Math.max(0, nowMillis - interval.endMillis))
          .reduce((earlier, later) -> later)
          .orElse(0);
    }
  }
}
