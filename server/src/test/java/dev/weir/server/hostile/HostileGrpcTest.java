package dev.weir.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.server.EnvoyOptions;
import dev.weir.server.RunningService;
import dev.weir.server.ServerOptions;
import dev.weir.server.grpc.message.RateLimitRequest;
import dev.weir.server.grpc.message.RateLimitResponse;
import dev.weir.server.grpc.message.RateLimitServiceGrpc;
import dev.weir.testkit.FaultReport;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** FAULTS 68 and 75 over gRPC: what proxies' port lets anybody hold, and for how long. */
@Tag("slow")
final class HostileGrpcTest {
  private static final String RULES =
      """
      domain: shop
      descriptors:
        - {key: user, rate_limit: {requests_per_unit: 2, unit: day}}
      """;

  private static final int MIB = 1 << 20;
  private static final int LAST_STREAM = 199;
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final byte[] QUESTION = question().toByteArray();

  @TempDir Path directory;
  private final List<Closeable> opened = new ArrayList<>();
  private RunningService service;

  @AfterEach
  void stop() throws IOException {
    for (Closeable each : opened) {
      each.close();
    }
    service.close();
  }

  @Test
  void unfinishedMessagesAreGivenUpBeforeTheyHoldTooMuch() throws Exception {
    start(options().maxRequestBytes(MIB));
    for (int connection = 0; connection < 5; connection++) {
      RawHttp2 client = connect(65_535);
      for (int stream = 1; stream <= LAST_STREAM; stream += 2) {
        client.call(stream, Map.of());
        client.data(stream, RawHttp2.message(60_000, new byte[12_000]), false);
      }
      client.flush();
    }
    await().atMost(SOON).until(this::anotherClientIsAnswered);
    await().atMost(SOON).until(() -> metric("weir_http_given_up_total") >= 300);
    assertThat(metric("weir_http_request_bytes")).isLessThanOrEqualTo(MIB);
    FaultReport.row(
        "68 unfinished messages, gRPC", 500, "the oldest given up; another client answered");
  }

  @Test
  void singleBytesCountForWhatTheyKeepInMemory() throws Exception {
    start(options().maxRequestBytes(MIB));
    RawHttp2 client = connect(65_535);
    client.call(1, Map.of());
    client.data(1, RawHttp2.message(60_000, new byte[0]), false);
    for (int i = 0; i < 1000; i++) {
      client.data(1, new byte[1], false);
    }
    client.flush();
    assertThat(client.await(RawHttp2.HEADERS, 1).isEnd()).isTrue();
    assertThat(metric("weir_http_given_up_total")).isEqualTo(1);
  }

  @Test
  void longFieldsCount() throws Exception {
    start(options().maxRequestBytes(MIB));
    RawHttp2 client = connect(65_535);
    for (int stream = 1; stream <= LAST_STREAM; stream += 2) {
      client.call(stream, Map.of("x-long", "x".repeat(12_000), "x-bin", "AAAA"));
    }
    client.flush();
    await().atMost(SOON).until(() -> metric("weir_http_given_up_total") >= 20);
  }

  /** A stream that only its client could end would hold memory that nothing counts any more. */
  @Test
  void aCallThatIsGivenUpLeavesNoStreamBehind() throws Exception {
    start(options().maxRequestBytes(MIB));
    RawHttp2 client = connect(65_535);
    for (int stream = 1; stream <= LAST_STREAM; stream += 2) {
      client.call(stream, Map.of("x-long", "x".repeat(12_000)));
    }
    client.flush();
    assertThat(client.await(RawHttp2.HEADERS, 1).isEnd()).isTrue();
    assertThat(client.await(RawHttp2.RST_STREAM, 1).code()).isZero();
  }

  @Test
  void aMessageThatDoesNotArriveInTimeEndsItsCall() throws Exception {
    start(options().requestTime(Duration.ofSeconds(1)));
    RawHttp2 client = connect(65_535);
    client.call(1, Map.of());
    client.data(1, RawHttp2.message(1000, new byte[10]), false);
    client.call(3, Map.of()); // the whole message, but no end
    client.data(3, RawHttp2.message(QUESTION.length, QUESTION), false);
    client.flush();
    assertThat(client.await(RawHttp2.HEADERS, 1).isEnd()).isTrue();
    assertThat(client.await(RawHttp2.HEADERS, 3).isEnd()).isTrue();
    await().atMost(SOON).until(() -> metric("weir_http_request_bytes") <= 4096); // the scrape's own
  }

  @Test
  void whoDoesNotReadAnswersLosesTheConnection() throws Exception {
    start(options().requestTime(Duration.ofSeconds(1)));
    RawHttp2 client = connect(0);
    client.call(1, Map.of());
    client.data(1, RawHttp2.message(QUESTION.length, QUESTION), true);
    client.flush();
    await().atMost(SOON).until(client::isClosed);
  }

  @Test
  void connectionsCountTogetherWithThoseOfHttp() throws Exception {
    start(options().maxConnections(10));
    List<RawHttp2> idle = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      idle.add(connect(65_535));
    }
    await().atMost(SOON).until(() -> idle.stream().filter(RawHttp2::isClosed).count() >= 40);
    assertThat(service.http.get("/healthz").status()).isEqualTo(200);
    assertThat(metric("weir_http_connections_evicted_total")).isGreaterThan(0);
    assertThat(metric("weir_http_connections")).isLessThanOrEqualTo(10);
    assertThat(answerToAnotherClient()).isEqualTo(RateLimitResponse.Code.OK);
    FaultReport.row(
        "75 idle gRPC connections at a bound of 10",
        50,
        "the longest idle closed; health and another client answered");
  }

  @Test
  void idleConnectionsAreClosedWithGoaway() throws Exception {
    start(options().idleTime(Duration.ofSeconds(1)));
    RawHttp2 client = connect(65_535);
    RawHttp2.Frame frame = client.read();
    while (frame.type() != RawHttp2.GOAWAY) {
      frame = client.read();
    }
    assertThat(frame.type()).isEqualTo(RawHttp2.GOAWAY);
    RawConnection silent = new RawConnection(service.server.grpcPort().getAsInt());
    opened.add(silent);
    await().atMost(SOON).until(silent::isClosed);
  }

  @Test
  void aLongMessageIsRefused() throws Exception {
    start(options());
    RawHttp2 client = connect(65_535);
    client.call(1, Map.of());
    client.data(1, RawHttp2.message(65_537, new byte[1]), false);
    client.flush();
    assertThat(client.await(RawHttp2.HEADERS, 1).isEnd()).isTrue();
  }

  private void start(ServerOptions options) {
    service = RunningService.start(options);
  }

  /** Long times: what ends in these tests ends because room was needed, unless one sets them. */
  private ServerOptions options() {
    return RunningService.options(directory)
        .config(List.of(RunningService.rules(directory, RULES)))
        .envoy(new EnvoyOptions().grpcPort(0))
        .requestTime(Duration.ofMinutes(5));
  }

  private RawHttp2 connect(int window) throws IOException {
    RawHttp2 client = RawHttp2.inCleartext(service.server.grpcPort().getAsInt(), window);
    opened.add(client);
    return client;
  }

  /** While what was given up is still leaving, new calls are shed and may be sent again. */
  private boolean anotherClientIsAnswered() {
    try {
      return answerToAnotherClient() == RateLimitResponse.Code.OK;
    } catch (StatusRuntimeException e) {
      assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      return false;
    }
  }

  private RateLimitResponse.Code answerToAnotherClient() {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", service.server.grpcPort().getAsInt())
            .usePlaintext()
            .build();
    try {
      return RateLimitServiceGrpc.newBlockingStub(channel)
          .withDeadlineAfter(20, TimeUnit.SECONDS)
          .shouldRateLimit(question())
          .getOverallCode();
    } finally {
      channel.shutdownNow();
    }
  }

  private static RateLimitRequest question() {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("shop");
    request.addDescriptorsBuilder().addEntriesBuilder().setKey("user").setValue("ann");
    return request.build();
  }

  private double metric(String name) {
    return service
        .http
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
        .sum();
  }
}
