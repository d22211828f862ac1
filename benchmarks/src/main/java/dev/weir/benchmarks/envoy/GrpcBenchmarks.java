package dev.weir.benchmarks.envoy;

import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.MarkdownTable;
import dev.weir.benchmarks.report.MeasurementSetup;
import dev.weir.benchmarks.report.MedianAndRange;
import dev.weir.server.EnvoyOptions;
import dev.weir.server.ServerOptions;
import dev.weir.server.WeirServer;
import dev.weir.server.grpc.message.RateLimitRequest;
import dev.weir.server.grpc.message.RateLimitResponse;
import dev.weir.server.grpc.message.RateLimitServiceGrpc.RateLimitServiceImplBase;
import dev.weir.testkit.RedisProcess;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/**
 * The program over gRPC: the service next to an echo on the same stack, in turns; how long calls
 * take; and what a decision costs Redis. Client and servers share one JVM.
 */
public final class GrpcBenchmarks {
  private static final int IN_FLIGHT = 256;
  private static final int WARM_UP_ROUNDS = 5;
  private static final double TARGET = 0.7;
  private static final String ECHO = "echo";
  private static final String WITHOUT_FIELDS = "memory, without header fields";
  private static final String WITH_FIELDS = "memory, with header fields";

  /** A limit that lets everything pass, with state that is counted. */
  private static final String RULES =
      "domain: benchmark\n"
          + "descriptors: [{key: user, rate_limit: {requests_per_unit: 1000000000, unit: day}}]\n";

  private final int rounds;
  private final double seconds;

  private GrpcBenchmarks(int rounds, double seconds) {
    this.rounds = rounds;
    this.seconds = seconds;
  }

  /** Measures everything; returns the tables. */
  public static String measure(Effort effort) throws IOException, InterruptedException {
    boolean brief = effort == Effort.SHORT;
    return (brief ? new GrpcBenchmarks(3, 2) : new GrpcBenchmarks(9, 3)).measure();
  }

  private String measure() throws IOException, InterruptedException {
    Path rules = Files.writeString(Files.createTempFile("weir", ".yaml"), RULES);
    Server echo = echo();
    try (RedisProcess redis = RedisProcess.start();
        WeirServer plain = service(rules, "memory", EnvoyOptions.Headers.NONE);
        WeirServer fields = service(rules, "memory", EnvoyOptions.Headers.STANDARD);
        WeirServer shared = service(rules, redis.uri(), EnvoyOptions.Headers.STANDARD)) {
      Map<String, Integer> ports = new LinkedHashMap<>();
      ports.put(ECHO, echo.getPort());
      ports.put(WITHOUT_FIELDS, plain.grpcPort().orElseThrow());
      ports.put(WITH_FIELDS, fields.grpcPort().orElseThrow());
      ports.put("Redis, with header fields", shared.grpcPort().orElseThrow());
      return "Machine: "
          + MeasurementSetup.machine()
          + ".\n\n"
          + speed(ports)
          + "\n"
          + latencies(ports)
          + "\n"
          + new RedisCost(redis, seconds).table(shared.grpcPort().orElseThrow(), IN_FLIGHT);
    } finally {
      echo.shutdownNow();
      Files.delete(rules);
    }
  }

  private static WeirServer service(Path rules, String store, EnvoyOptions.Headers headers) {
    return WeirServer.start(
        new ServerOptions()
            .host("127.0.0.1")
            .port(0)
            .config(List.of(rules))
            .store(store)
            .deadline(Duration.ofSeconds(1))
            .drain(Duration.ZERO)
            .envoy(new EnvoyOptions().grpcPort(0).headers(headers)));
  }

  /** Reads the request, and answers with a message of the size of an answer. */
  private static Server echo() throws IOException {
    RateLimitResponse.Builder answer =
        RateLimitResponse.newBuilder().setOverallCode(RateLimitResponse.Code.OK);
    answer
        .addStatusesBuilder()
        .setCode(RateLimitResponse.Code.OK)
        .setLimitRemaining(999_999)
        .getCurrentLimitBuilder()
        .setRequestsPerUnit(1_000_000_000)
        .setUnitValue(4);
    RateLimitResponse fixed = answer.build();
    return NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
        .directExecutor()
        .addService(
            new RateLimitServiceImplBase() {
              @Override
              public void shouldRateLimit(
                  RateLimitRequest request, StreamObserver<RateLimitResponse> observer) {
                observer.onNext(fixed);
                observer.onCompleted();
              }
            })
        .build()
        .start();
  }

  private String speed(Map<String, Integer> ports) throws InterruptedException {
    Map<String, List<Double>> all = new LinkedHashMap<>();
    for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
      for (Map.Entry<String, Integer> each : ports.entrySet()) {
        try (GrpcLoad load = new GrpcLoad(each.getValue())) {
          double speed = load.perSecond(IN_FLIGHT, seconds);
          if (round >= 0) { // those before warm up
            all.computeIfAbsent(each.getKey(), name -> new ArrayList<>()).add(speed);
          }
        }
      }
    }
    MarkdownTable table =
        MarkdownTable.ofNumbers(
            List.of(IN_FLIGHT + " calls under way", "calls per second", "to the echo"));
    all.forEach(
        (name, speeds) ->
            table.row(
                List.of(
                    name,
                    MedianAndRange.of(speeds).asNumber(),
                    ratio(speeds, all.get(ECHO)).asRatio())));
    return "P13, at least 0.7 of an echo: "
        + verdict(ratio(all.get(WITH_FIELDS), all.get(ECHO)))
        + " by the default, with header fields; "
        + verdict(ratio(all.get(WITHOUT_FIELDS), all.get(ECHO)))
        + " without.\n\n"
        + table;
  }

  private static String verdict(MedianAndRange ratio) {
    return ratio.median() >= TARGET ? "met" : "missed";
  }

  private static MedianAndRange ratio(List<Double> speeds, List<Double> echo) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < speeds.size(); i++) {
      ratios.add(speeds.get(i) / echo.get(i));
    }
    return MedianAndRange.of(ratios);
  }

  private String latencies(Map<String, Integer> ports) throws InterruptedException {
    MarkdownTable table =
        MarkdownTable.ofNumbers(
            List.of("share of the maximum rate", "p50 ms", "p99 ms", "p99.9 ms", "within 20 ms"));
    for (Map.Entry<String, Integer> each : ports.entrySet()) {
      try (GrpcLoad load = new GrpcLoad(each.getValue())) {
        double most = load.perSecond(IN_FLIGHT, seconds);
        for (double share : new double[] {0.5, 0.9}) {
          table.row(row(each.getKey(), share, load.latency(share * most, seconds)));
        }
      }
    }
    return table.toString();
  }

  private static List<String> row(String name, double share, Histogram micros) {
    return List.of(
        name + ", " + Math.round(share * 100) + " %",
        millis(micros.getValueAtPercentile(50)),
        millis(micros.getValueAtPercentile(99)),
        millis(micros.getValueAtPercentile(99.9)),
        String.format(Locale.ROOT, "%.2f %%", micros.getPercentileAtOrBelowValue(20_000)));
  }

  private static String millis(long micros) {
    return String.format(Locale.ROOT, "%.2f", micros / 1000.0);
  }

  /**
   * Decisions per second of Redis's processor time: ours through the service, and the reference
   * service's own commands, INCRBY and EXPIRE pipelined.
   */
  static final class RedisCost {
    private static final Pattern CPU = Pattern.compile("used_cpu_(?:sys|user):([0-9.]+)");

    private final RedisProcess redis;
    private final double seconds;

    RedisCost(RedisProcess redis, double seconds) {
      this.redis = redis;
      this.seconds = seconds;
    }

    MarkdownTable table(int grpcPort, int inFlight) throws InterruptedException {
      MarkdownTable table =
          MarkdownTable.ofNumbers(
              List.of("on Redis", "decisions per second", "decisions per Redis CPU second"));
      double before = cpuSeconds();
      double ours;
      try (GrpcLoad load = new GrpcLoad(grpcPort)) {
        ours = load.perSecond(inFlight, seconds);
      }
      double between = cpuSeconds();
      double theirs = referenceCommands(inFlight);
      double after = cpuSeconds();
      table.row(List.of("the service", whole(ours), whole(ours * seconds / (between - before))));
      table.row(
          List.of(
              "INCRBY and EXPIRE, pipelined",
              whole(theirs),
              whole(theirs * seconds / (after - between))));
      return table;
    }

    private static String whole(double number) {
      return MarkdownTable.number(number);
    }

    private double cpuSeconds() {
      Matcher parts = CPU.matcher(redis.command("INFO", "cpu"));
      double sum = 0;
      while (parts.find()) {
        sum += Double.parseDouble(parts.group(1));
      }
      return sum;
    }

    /** Both commands of a decision go out together, as the reference service sends them. */
    private double referenceCommands(int inFlight) throws InterruptedException {
      RedisClient client = RedisClient.create(redis.uri());
      try (StatefulRedisConnection<String, String> connection = client.connect()) {
        RedisAsyncCommands<String, String> commands = connection.async();
        Semaphore places = new Semaphore(inFlight);
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        long decisions = 0;
        while (System.nanoTime() < end) {
          places.acquire();
          String key = "benchmark_user_user-" + decisions % 1000 + "_1800000000";
          commands.incrby(key, 1);
          commands.expire(key, 86_400).whenComplete((done, failed) -> places.release());
          decisions++;
        }
        places.acquire(inFlight);
        return decisions * 1e9 / (System.nanoTime() - start);
      } finally {
        client.shutdown();
      }
    }
  }
}
