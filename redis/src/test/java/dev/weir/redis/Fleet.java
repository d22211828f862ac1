package dev.weir.redis;

import dev.weir.FailurePolicy;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Several {@link FleetMember}s on the same store, with their reports summed up. */
final class Fleet implements AutoCloseable {
  static final int MEMBERS = 3;
  static final Duration DEADLINE = Duration.ofMillis(100);

  /** The deadline and what a busy machine may add to it. */
  static final Duration TOLERATED = Duration.ofSeconds(1);

  private static final Duration CALM = Duration.ofMillis(1500);

  private final List<String> keys;
  private final List<Member> members = new ArrayList<>();

  private record Member(Process process, BufferedReader says, PrintStream told) {
    static Member launch(List<String> arguments) {
      List<String> line = new ArrayList<>();
      line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      line.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xmx128m"));
      line.addAll(List.of("-cp", System.getProperty("java.class.path")));
      line.add(FleetMember.class.getName());
      line.addAll(arguments);
      try {
        Process process =
            new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        PrintStream told = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        return new Member(process, process.inputReader(), told);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    String hear() {
      try {
        return says.readLine();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private Fleet(List<String> keys) {
    this.keys = keys;
  }

  /**
   * Starts the processes and their load.
   *
   * @param limits of each key, as {@link FleetMember} reads them
   */
  static Fleet start(String uri, FailurePolicy onFailure, String... limits) {
    Fleet fleet = new Fleet(Arrays.stream(limits).map(limit -> limit.split("=")[0]).toList());
    String deadline = String.valueOf(DEADLINE.toMillis());
    Stream<String> settings = Stream.of(uri, deadline, onFailure.name(), String.valueOf(MEMBERS));
    List<String> arguments = Stream.concat(settings, Stream.of(limits)).toList();
    for (int i = 0; i < MEMBERS; i++) {
      fleet.members.add(Member.launch(arguments));
    }
    fleet.members.forEach(member -> expect("ready", member.hear()));
    fleet.tell("start");
    return fleet;
  }

  /** What all members together saw of each key in this phase, until now. */
  Map<String, KeyReport> report() {
    return sum(reports("report"));
  }

  /** Ends the phase, and says what all members together saw of each key in it. */
  Map<String, KeyReport> nextPhase() {
    return sum(reports("phase"));
  }

  /** Ends the phase, and says what each member saw of each key in it. */
  List<Map<String, KeyReport>> nextPhaseOfEach() {
    return reports("phase");
  }

  /** Ends the load; every call under way is answered first. */
  void stopLoad() {
    tell("stop");
    members.forEach(member -> expect("stopped", member.hear()));
  }

  /** Waits until no member had to use its failure policy for longer than denials are cached. */
  void awaitStore() {
    await(report -> report.calm().compareTo(CALM) >= 0);
  }

  /** Waits until what all members together saw in this phase is so for each key. */
  void await(Predicate<KeyReport> condition) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(50))
        .until(() -> report().values().stream().allMatch(condition));
  }

  /** Waits until all members together have asked this much more. */
  void awaitAsked(long more) {
    long before = asked();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> asked() >= before + more);
  }

  private long asked() {
    return report().values().stream().mapToLong(KeyReport::asked).sum();
  }

  /** How many permits of a key the store has counted as used. */
  static long counted(String uri, String key, long permits) {
    try (RedisStore store = RedisStore.builder(uri).timeout(Duration.ofSeconds(5)).build()) {
      Policy policy = FleetMember.policy(permits);
      return permits
          - RateLimiter.builder().policy(policy).store(store).build().peek(key).remaining();
    }
  }

  /**
   * Leaves a fault as it is for this long: an outage of two seconds takes two seconds. This is the
   * length of a fault, and no pause in which something is hoped to have happened.
   */
  static void lasting(Duration time) {
    long begin = System.nanoTime();
    Awaitility.await()
        .pollInterval(Duration.ofMillis(5))
        .timeout(time.plusSeconds(5))
        .until(() -> System.nanoTime() - begin >= time.toNanos());
  }

  void suspend(int member) {
    signal("STOP", member);
  }

  void resume(int member) {
    signal("CONT", member);
  }

  private void signal(String name, int member) {
    try {
      String pid = String.valueOf(members.get(member).process.pid());
      expect("0", String.valueOf(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void tell(String order) {
    members.forEach(member -> member.told.println(order));
  }

  private List<Map<String, KeyReport>> reports(String order) {
    tell(order);
    return members.stream().map(member -> parse(member.hear())).toList();
  }

  private Map<String, KeyReport> parse(String line) {
    String[] parts = line.split(";");
    Map<String, KeyReport> reports = new LinkedHashMap<>();
    for (int i = 0; i < parts.length; i++) {
      reports.put(keys.get(i), KeyReport.parse(parts[i]));
    }
    return reports;
  }

  private static Map<String, KeyReport> sum(List<Map<String, KeyReport>> reports) {
    Map<String, KeyReport> sum = new LinkedHashMap<>();
    reports.forEach(each -> each.forEach((key, report) -> sum.merge(key, report, KeyReport::plus)));
    return sum;
  }

  private static void expect(String expected, String said) {
    if (!expected.equals(said)) {
      throw new IllegalStateException("expected " + expected + ", was " + said);
    }
  }

  @Override
  public void close() {
    members.forEach(member -> member.process.destroyForcibly());
  }
}
