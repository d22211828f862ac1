package dev.weir.benchmarks.inprocess;

import static dev.weir.benchmarks.inprocess.LimiterLibrary.InProcessContender.BUCKET4J;
import static dev.weir.benchmarks.inprocess.LimiterLibrary.InProcessContender.FLOOR;
import static dev.weir.benchmarks.inprocess.LimiterLibrary.InProcessContender.RESILIENCE4J;
import static dev.weir.benchmarks.inprocess.LimiterLibrary.InProcessContender.WEIR_TOKEN_BUCKET;

import dev.weir.benchmarks.inprocess.ForkedRun.InProcessTiming;
import dev.weir.benchmarks.inprocess.InProcessBenchmarks.InProcessMeasurements;
import dev.weir.benchmarks.inprocess.LimiterLibrary.InProcessContender;
import dev.weir.benchmarks.inprocess.TryAcquire.InProcessWorkload;
import dev.weir.benchmarks.report.MarkdownTable;
import dev.weir.benchmarks.report.MeasurementSetup;
import dev.weir.benchmarks.report.MedianAndRange;
import dev.weir.benchmarks.report.PerformanceTarget;
import dev.weir.benchmarks.report.PlotFiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The measurements as Markdown. */
final class InProcessReport {
  private static final List<String> VERSIONS =
      List.of("Weir", "Bucket4j", "Resilience4j", "Guava", "Failsafe", "JMH");

  private final InProcessMeasurements measured;

  InProcessReport(InProcessMeasurements measured) {
    this.measured = measured;
  }

  String render(InProcessTiming timing) {
    return String.join(
        "\n",
        "Machine: " + MeasurementSetup.machine() + ".\n",
        "Versions: " + MeasurementSetup.versions(VERSIONS) + ".\n",
        "Measured in " + timing.inWords() + ". " + disturbance() + "\n",
        "### Targets\n\n" + targets(),
        "### Where a peer is as good or better\n\n" + rivals(),
        "### Time\n\nNanoseconds per decision and thread: the median (and the spread) of rounds.\n",
        nanos().toString(),
        PlotFiles.image("Nanoseconds per decision by work", "process-time.svg"),
        "### Memory\n\nBytes allocated per decision; bytes of heap per key at a million keys.\n",
        memory().toString(),
        PlotFiles.image("Bytes of heap per key", "process-memory.svg"),
        "### Settings\n\n" + settings());
  }

  private String disturbance() {
    MedianAndRange disturbed = measured.disturbed();
    return "Other programs used %s %% of the processors in the median fork, %s %% in the worst."
        .formatted(
            MarkdownTable.whole(100 * disturbed.median()),
            MarkdownTable.whole(100 * disturbed.most()));
  }

  private MarkdownTable targets() {
    return PerformanceTarget.table(new InProcessTargets(measured).all());
  }

  private String rivals() {
    List<String> sentences = new InProcessEqualPeers(measured).sentences();
    if (sentences.isEmpty()) {
      return "Nowhere in this run.\n";
    }
    return sentences.stream().map(sentence -> "- " + sentence + "\n").collect(Collectors.joining());
  }

  private MarkdownTable nanos() {
    Stream<String> titles =
        Arrays.stream(InProcessWorkload.values()).map(workload -> workload.title);
    MarkdownTable table = MarkdownTable.ofNumbers(Stream.concat(Stream.of(""), titles).toList());
    for (InProcessContender contender : InProcessContender.values()) {
      List<String> cells = new ArrayList<>(List.of(contender.title));
      for (InProcessWorkload workload : InProcessWorkload.values()) {
        cells.add(measured.nanos(workload, contender).asNumber());
      }
      table.row(cells);
    }
    return table;
  }

  private MarkdownTable memory() {
    MarkdownTable table =
        MarkdownTable.ofNumbers(List.of("", "B/op, admitted", "B/op, denied", "B/key"));
    for (InProcessContender contender : InProcessContender.values()) {
      table.row(
          List.of(
              contender.title,
              MarkdownTable.whole(measured.bytes(InProcessWorkload.HOT_KEY, contender).median()),
              MarkdownTable.whole(measured.bytes(InProcessWorkload.DENIED, contender).median()),
              MarkdownTable.whole(measured.bytesPerKey(contender))));
    }
    return table;
  }

  private static MarkdownTable settings() {
    MarkdownTable table = MarkdownTable.ofText(List.of("", "setting"));
    for (InProcessContender contender : InProcessContender.values()) {
      table.row(List.of(contender.title, contender.library().setting()));
    }
    return table;
  }

  /** Lists where another library is as good as Weir's token bucket, or better. */
  static final class InProcessEqualPeers {
    private final InProcessMeasurements measured;

    InProcessEqualPeers(InProcessMeasurements measured) {
      this.measured = measured;
    }

    List<String> sentences() {
      List<String> sentences = new ArrayList<>();
      for (InProcessWorkload workload : InProcessWorkload.values()) {
        for (InProcessContender peer : InProcessContender.PEERS) {
          double ratio = measured.ratio(workload, peer, WEIR_TOKEN_BUCKET).median();
          if (ratio < InProcessTargets.LEVEL) {
            sentences.add(sentence(workload.title, peer.title, ratio));
          }
        }
      }
      return sentences;
    }

    /** The ratio is the peer's time to Weir's. */
    static String sentence(String workload, String peer, double ratio) {
      String standing =
          ratio * InProcessTargets.LEVEL < 1 ? "is quicker than Weir" : "is level with Weir";
      return "%s: %s %s (%s x its time)"
          .formatted(workload, peer, standing, MarkdownTable.ratio(ratio));
    }
  }

  /** Weir's performance targets in one process: the token bucket against its peers. */
  static final class InProcessTargets {
    /** Gaps below this prove nothing on a shared machine: the two are level. */
    static final double LEVEL = 1.15;

    private static final long MOST_BYTES_PER_KEY = 88;

    private final InProcessMeasurements measured;

    InProcessTargets(InProcessMeasurements measured) {
      this.measured = measured;
    }

    List<PerformanceTarget> all() {
      InProcessWorkload hot = InProcessWorkload.HOT_KEY;
      InProcessWorkload contended = InProcessWorkload.HOT_KEY_CONTENDED;
      InProcessWorkload many = InProcessWorkload.MANY_KEYS;
      return List.of(
          PerformanceTarget.atMost(
              "P1",
              "hot key, 1 thread: at most 1.3 x the floor",
              1.3,
              measured.ratio(hot, WEIR_TOKEN_BUCKET, FLOOR)),
          ahead("P1", hot, BUCKET4J, 1.2),
          levelWithEveryPeer("P1", hot),
          PerformanceTarget.bytesAtMost(
              "P1",
              "hot key, 1 thread: nothing allocated",
              0,
              measured.bytes(hot, WEIR_TOKEN_BUCKET).median()),
          ahead("P2", contended, BUCKET4J, 2),
          ahead("P2", contended, RESILIENCE4J, 1.3),
          ahead("P3", many, BUCKET4J, 1.5),
          levelWithEveryPeer("P3", many),
          PerformanceTarget.bytesAtMost(
              "P4",
              "heap per key, a million keys: at most " + MOST_BYTES_PER_KEY + " B",
              MOST_BYTES_PER_KEY,
              measured.bytesPerKey(WEIR_TOKEN_BUCKET)));
    }

    private PerformanceTarget ahead(
        String number, InProcessWorkload workload, InProcessContender peer, double factor) {
      String promise = "%s: at least %s x %s".formatted(workload.title, factor, peer.title);
      return PerformanceTarget.atLeast(
          number, promise, factor, measured.ratio(workload, peer, WEIR_TOKEN_BUCKET));
    }

    private PerformanceTarget levelWithEveryPeer(String number, InProcessWorkload workload) {
      InProcessContender fastest = fastestPeer(workload);
      String promise =
          "%s: ahead of or level with every peer; the quickest is %s"
              .formatted(workload.title, fastest.title);
      return PerformanceTarget.atLeast(
          number, promise, 1 / LEVEL, measured.ratio(workload, fastest, WEIR_TOKEN_BUCKET));
    }

    private InProcessContender fastestPeer(InProcessWorkload workload) {
      return InProcessContender.PEERS.stream()
          .min(Comparator.comparing(peer -> measured.nanos(workload, peer).median()))
          .orElseThrow();
    }
  }
}
