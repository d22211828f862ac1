package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.redis.MeasurementRun.RedisSample;
import dev.weir.benchmarks.redis.MeasurementRun.RedisTiming;
import dev.weir.benchmarks.redis.MeasurementRun.RedisWorkload;
import dev.weir.benchmarks.report.MarkdownTable;
import dev.weir.benchmarks.report.MeasurementSetup;
import dev.weir.benchmarks.report.MedianAndRange;
import dev.weir.benchmarks.report.PerformanceTarget;
import dev.weir.benchmarks.report.PlotFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The measurements as Markdown. */
final class RedisReport {
  private static final List<String> VERSIONS =
      List.of("Weir", "Lettuce", "Bucket4j", "Redisson", "HdrHistogram");

  private final RedisMeasurements measured;

  RedisReport(RedisMeasurements measured) {
    this.measured = measured;
  }

  String render(RedisTiming timing, String server) {
    return String.join(
        "\n",
        "Machine: " + MeasurementSetup.machine() + ".\n",
        "Server: " + server + ".\n",
        "Versions: " + MeasurementSetup.versions(VERSIONS) + ".\n",
        "Measured in " + timing.inWords() + ". " + disturbance() + "\n",
        "### Targets\n\n" + targets(),
        "### Where another is as good or better\n\n" + rivals(),
        "### Decisions per second\n\nThe median (and the spread) of rounds, in thousands.\n",
        PlotFiles.image("Decisions per second by callers", "redis-callers.svg"),
        speed().toString(),
        PlotFiles.image("Decisions per second by work", "redis-throughput.svg"),
        "### Latency\n\nMicroseconds, p50 / p99: medians of rounds.\n",
        latency().toString(),
        "### What a decision costs\n\n" + costsInWords(),
        costs().toString(),
        PlotFiles.image("Processor time of Redis per decision", "redis-cpu.svg"),
        "### Several limits in one decision\n",
        limits().toString(),
        PlotFiles.image("Time in the script by limits", "redis-limits.svg"),
        "### The algorithms\n",
        algorithmSpeeds().toString(),
        PlotFiles.image("Decisions per second by algorithm", "redis-algorithms.svg"),
        algorithmCosts().toString(),
        "### Memory of Redis\n\n" + keySizesInWords(),
        keySizes().toString(),
        "### Requests in flight and request ids\n",
        payOnce().toString(),
        "### Admitted against allowed\n\n" + countsInWords(),
        counts().toString(),
        "### Settings over Redis\n\n" + settings());
  }

  private String disturbance() {
    MedianAndRange disturbed = measured.disturbed();
    return "Other programs used %s %% of the processors in the median turn, %s %% in the worst."
        .formatted(
            MarkdownTable.whole(100 * disturbed.median()),
            MarkdownTable.whole(100 * disturbed.most()));
  }

  private MarkdownTable targets() {
    return PerformanceTarget.table(new RedisTargets(measured).all());
  }

  private String rivals() {
    List<String> sentences = new RedisEqualPeers(measured).sentences();
    if (sentences.isEmpty()) {
      return "Nowhere in this run.\n";
    }
    return sentences.stream().map(sentence -> "- " + sentence + "\n").collect(Collectors.joining());
  }

  private MarkdownTable speed() {
    return byWorkload(
        (workload, contender) ->
            measured.of(workload, contender, sample -> sample.perSecond() / 1000).asNumber());
  }

  private MarkdownTable latency() {
    return byWorkload(this::latency);
  }

  private String latency(RedisWorkload workload, RedisContender contender) {
    return MarkdownTable.whole(measured.of(workload, contender, RedisSample::p50Micros).median())
        + " / "
        + MarkdownTable.whole(measured.of(workload, contender, RedisSample::p99Micros).median());
  }

  private static String costsInWords() {
    return "Microseconds per decision: of Redis in scripts alone / all processor time of Redis,"
        + " with sockets / all processor time of the client. In brackets, decisions per"
        + " script call. Bucket4j reads outside its script.\n";
  }

  private MarkdownTable costs() {
    return byWorkload(
        (workload, contender) ->
            "%s / %s / %s (%s)"
                .formatted(
                    median(workload, contender, RedisSample::scriptMicros),
                    median(workload, contender, RedisSample::cpuMicros),
                    median(workload, contender, RedisSample::clientMicros),
                    median(workload, contender, RedisSample::perCall)));
  }

  private String median(
      RedisWorkload workload, RedisContender contender, ToDoubleFunction<RedisSample> part) {
    return MarkdownTable.number(measured.of(workload, contender, part).median());
  }

  private static MarkdownTable byWorkload(
      BiFunction<RedisWorkload, RedisContender, String> figure) {
    Stream<String> titles = RedisWorkload.SHARED.stream().map(workload -> workload.title);
    MarkdownTable table = MarkdownTable.ofNumbers(Stream.concat(Stream.of(""), titles).toList());
    for (RedisContender contender : RedisContender.SINGLE) {
      List<String> cells = new ArrayList<>(List.of(contender.title));
      RedisWorkload.SHARED.forEach(workload -> cells.add(figure.apply(workload, contender)));
      table.row(cells);
    }
    return table;
  }

  private MarkdownTable limits() {
    MarkdownTable table =
        MarkdownTable.ofNumbers(
            List.of(
                "",
                "1 caller: decisions/s",
                "p50, us",
                "script, us",
                "64 callers: decisions/s",
                "script, us"));
    for (RedisContender contender : RedisContender.LIMITS) {
      table.row(
          List.of(
              contender == RedisContender.WEIR ? "Weir, 1 limit" : contender.title,
              whole(RedisWorkload.LIMITS_1, contender),
              MarkdownTable.whole(
                  measured.of(RedisWorkload.LIMITS_1, contender, RedisSample::p50Micros).median()),
              script(RedisWorkload.LIMITS_1, contender),
              whole(RedisWorkload.LIMITS_64, contender),
              script(RedisWorkload.LIMITS_64, contender)));
    }
    return table;
  }

  private MarkdownTable algorithmSpeeds() {
    MarkdownTable table =
        MarkdownTable.ofNumbers(
            List.of(
                "",
                "hot key, 64 callers: decisions/s",
                "p50 / p99, us",
                "10,000 keys, 64 callers: decisions/s",
                "p50 / p99, us"));
    for (RedisContender contender : RedisContender.ALGORITHMS) {
      table.row(
          List.of(
              algorithm(contender),
              whole(RedisWorkload.ALGORITHMS_HOT, contender),
              latency(RedisWorkload.ALGORITHMS_HOT, contender),
              whole(RedisWorkload.ALGORITHMS_KEYS, contender),
              latency(RedisWorkload.ALGORITHMS_KEYS, contender)));
    }
    return table;
  }

  private MarkdownTable algorithmCosts() {
    MarkdownTable table =
        MarkdownTable.ofNumbers(
            List.of(
                "us per decision",
                "hot key: in the script",
                "all of Redis",
                "10,000 keys: in the script",
                "all of Redis"));
    for (RedisContender contender : RedisContender.ALGORITHMS) {
      table.row(
          List.of(
              algorithm(contender),
              script(RedisWorkload.ALGORITHMS_HOT, contender),
              median(RedisWorkload.ALGORITHMS_HOT, contender, RedisSample::cpuMicros),
              script(RedisWorkload.ALGORITHMS_KEYS, contender),
              median(RedisWorkload.ALGORITHMS_KEYS, contender, RedisSample::cpuMicros)));
    }
    return table;
  }

  static String algorithm(RedisContender contender) {
    return contender == RedisContender.WEIR ? "Weir, token bucket" : contender.title;
  }

  private static String keySizesInWords() {
    return "Bytes per limited key, with its name and all that a contender keeps for it, as MEMORY"
        + " USAGE says: after one admission, and after %d.\n".formatted(KeySizes.ADMISSIONS);
  }

  private MarkdownTable keySizes() {
    MarkdownTable table =
        MarkdownTable.ofNumbers(
            List.of("", "after 1 admission", "after %d".formatted(KeySizes.ADMISSIONS)));
    measured
        .keySizes()
        .forEach(
            (contender, sizes) ->
                table.row(
                    List.of(
                        algorithm(contender),
                        String.valueOf(sizes.fresh()),
                        String.valueOf(sizes.used()))));
    return table;
  }

  private MarkdownTable payOnce() {
    MarkdownTable table =
        MarkdownTable.ofNumbers(
            List.of(
                "",
                "1 caller: per second",
                "script, us",
                "10,000 keys, 64 callers: per second",
                "script, us"));
    for (RedisContender contender : RedisContender.PER_REQUEST_STATE) {
      table.row(
          List.of(
              algorithm(contender),
              whole(RedisWorkload.PAY_ONCE_1, contender),
              script(RedisWorkload.PAY_ONCE_1, contender),
              whole(RedisWorkload.PAY_ONCE_KEYS, contender),
              script(RedisWorkload.PAY_ONCE_KEYS, contender)));
    }
    return table;
  }

  private String whole(RedisWorkload workload, RedisContender contender) {
    return MarkdownTable.whole(measured.of(workload, contender, RedisSample::perSecond).median());
  }

  private String script(RedisWorkload workload, RedisContender contender) {
    return measured.of(workload, contender, RedisSample::scriptMicros).asNumber();
  }

  private static String countsInWords() {
    return "64 callers ask a key that has 1,000 for the day. Whole seconds cannot say *per day*:"
        + " that script gets 1,000 and one more per second.\n";
  }

  private MarkdownTable counts() {
    MarkdownTable table = MarkdownTable.ofNumbers(List.of("", "asked", "allowed", "admitted", ""));
    measured
        .counts()
        .forEach(
            (contender, count) ->
                table.row(
                    List.of(
                        contender.title,
                        String.valueOf(count.asked()),
                        String.valueOf(count.allowed()),
                        String.valueOf(count.admitted()),
                        count.verdict())));
    return table;
  }

  private static MarkdownTable settings() {
    MarkdownTable table = MarkdownTable.ofText(List.of("", "setting"));
    for (RedisContender contender : RedisContender.values()) {
      table.row(List.of(contender.title, contender.setting));
    }
    return table;
  }

  /** Lists where another client of Redis is as good as Weir, or better. */
  static final class RedisEqualPeers {
    /** Gaps below this prove nothing on a shared machine: the two are level. */
    private static final double LEVEL = 1.15;

    private final RedisMeasurements measured;

    RedisEqualPeers(RedisMeasurements measured) {
      this.measured = measured;
    }

    List<String> sentences() {
      List<String> sentences = new ArrayList<>();
      for (RedisWorkload workload : RedisWorkload.SHARED) {
        for (RedisContender peer : RedisContender.PEERS) {
          String where = workload.title + ": " + peer.title;
          add(sentences, where, "decisions", speed(workload, peer));
          add(sentences, where, "processor time of Redis", 1 / cost(workload, peer));
        }
      }
      return sentences;
    }

    private double speed(RedisWorkload workload, RedisContender peer) {
      return measured.ratio(workload, peer, RedisContender.WEIR, RedisSample::perSecond).median();
    }

    private double cost(RedisWorkload workload, RedisContender peer) {
      return measured.ratio(workload, peer, RedisContender.WEIR, RedisSample::cpuMicros).median();
    }

    private static void add(List<String> sentences, String where, String what, double advantage) {
      if (advantage * LEVEL > 1) {
        sentences.add(sentence(where, what, advantage));
      }
    }

    /** The advantage is how many times better the peer is than Weir. */
    static String sentence(String where, String what, double advantage) {
      String standing = advantage > LEVEL ? "is better than" : "is level with";
      return "%s %s Weir in %s (%s x)"
          .formatted(where, standing, what, MarkdownTable.ratio(advantage));
    }
  }
}
