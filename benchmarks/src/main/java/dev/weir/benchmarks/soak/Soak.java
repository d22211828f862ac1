package dev.weir.benchmarks.soak;

import dev.weir.testkit.RedisProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The program: loads and disturbs two instances of the service, and says what came of it. */
public final class Soak {
  private static final int WRONG_USE = 2;
  private static final int SHOWN = 20;
  private static final long WARM_UP_MILLIS = 8000;
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final int minutes;
  private final boolean terminal;
  private final Timeline timeline = new Timeline();
  private final SoakTally tally = new SoakTally(timeline);
  private final List<Instance> instances = new ArrayList<>();

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
        instances.add(new Instance(redis.uri(), rules, log));
      }
      boolean passed = disturb(new Disturbances(redis, instances, rules, timeline));
      end(passed, rules, log);
      return passed ? 0 : 1;
    } finally {
      instances.forEach(Instance::close);
    }
  }

  private boolean disturb(Disturbances disturbances) throws IOException, InterruptedException {
    warmUp();
    Stalls stalls = Stalls.watch();
    long start = System.currentTimeMillis();
    long end = start + minutes * 60_000L;
    SoakLoad load = new SoakLoad(instances, tally);
    try {
      disturbances.run(start, end, this::show);
    } finally {
      load.end();
    }
    disturbances.measure(minutes * 60_000L);
    return judge(Windows.within(start, end), disturbances.done(stalls.longestMillis()));
  }

  /** Programs that have just started are slow; what they answer then is not looked at. */
  private void warmUp() throws InterruptedException {
    SoakLoad load = new SoakLoad(instances, new SoakTally(new Timeline()));
    show(minutes * 60_000L, "warming up");
    Thread.sleep(WARM_UP_MILLIS);
    load.end();
  }

  private boolean judge(Windows windows, DisturbanceLog done) {
    System.out.print(terminal ? CLEAR_LINE : "");
    System.out.print(new SoakReport(tally, timeline, windows, done).render());
    List<String> wrong = Verdict.of(tally, timeline, windows, done);
    wrong.stream().limit(SHOWN).forEach(words -> System.out.println("wrong: " + words));
    if (wrong.size() > SHOWN) {
      System.out.println("and " + (wrong.size() - SHOWN) + " more");
    }
    return wrong.isEmpty();
  }

  /** The log is kept for whoever looks for the cause. */
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
}
