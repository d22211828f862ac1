package dev.weir.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.server.EnvoyOptions;
import dev.weir.server.RunningService;
import dev.weir.server.ServerOptions;
import dev.weir.server.grpc.message.HeaderValue;
import dev.weir.server.grpc.message.RateLimitRequest;
import dev.weir.server.grpc.message.RateLimitResponse;
import dev.weir.server.grpc.message.RateLimitResponse.Code;
import dev.weir.server.grpc.message.RateLimitServiceGrpc;
import dev.weir.testkit.RedisProcess;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Envoy's protocol as the running service speaks it. */
final class GrpcServerTest {
  private static final String RULES =
      """
      domain: shop
      descriptors:
        - {key: user, rate_limit: {requests_per_unit: 2, unit: day}}
        - key: pattern
          rate_limit: {requests_per_unit: 5, period: 30s, algorithm: token-bucket}
        - key: large
          rate_limit: {requests_per_unit: 5000000000, unit: day}
        - key: tagged
          metadata: {pool: {name: first}}
          rate_limit: {requests_per_unit: 5, unit: day}
        - {key: lenient, rate_limit: {requests_per_unit: 5, unit: day, on-store-failure: allow}}
      """;

  @TempDir Path folder;
  private RunningService service;
  private ManagedChannel channel;

  private void start(EnvoyOptions envoy) {
    start(options(envoy));
  }

  private ServerOptions options(EnvoyOptions envoy) {
    return RunningService.options(folder)
        .config(List.of(RunningService.rules(folder, RULES)))
        .envoy(envoy.grpcPort(0));
  }

  private void start(ServerOptions options) {
    service = RunningService.start(options);
    channel =
        NettyChannelBuilder.forAddress("127.0.0.1", service.server.grpcPort().getAsInt())
            .usePlaintext()
            .build();
  }

  @AfterEach
  void stop() {
    if (channel != null) {
      channel.shutdownNow();
    }
    service.close();
  }

  @Test
  void aRefusalTellsTheClientWhyAndWhenToComeBack() {
    start(new EnvoyOptions());
    assertThat(headers(ask("user", "ann")))
        .containsEntry("RateLimit-Policy", "\"user\";q=2;w=86400")
        .doesNotContainKey("Retry-After");
    ask("user", "ann");
    RateLimitResponse refused = ask("user", "ann");
    assertThat(refused.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(headers(refused))
        .containsKeys("RateLimit", "Retry-After")
        .containsEntry("Content-Type", "application/problem+json");
    assertThat(refused.getRawBody().toStringUtf8())
        .contains("#quota-exceeded", "\"violated-policies\":[\"user\"]");
  }

  @Test
  void everythingBesidesTheStatusesCanBeSwitchedOff() {
    start(new EnvoyOptions().headers(EnvoyOptions.Headers.NONE).body(false).resetTimes(false));
    ask("user", "ann");
    ask("user", "ann");
    RateLimitResponse refused = ask("user", "ann");
    assertThat(refused.getResponseHeadersToAddList()).isEmpty();
    assertThat(refused.getRawBody().isEmpty()).isTrue();
    assertThat(refused.getStatuses(0).hasDurationUntilReset()).isFalse();
  }

  @Test
  void theFieldsOfTheReferenceServiceAreAnOption() {
    start(new EnvoyOptions().headers(EnvoyOptions.Headers.REFERENCE).body(false));
    assertThat(headers(ask("user", "ann")))
        .containsOnlyKeys("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
        .containsEntry("RateLimit-Limit", "2")
        .containsEntry("RateLimit-Remaining", "1");
  }

  @Test
  void whatTheProtocolCannotExpressIsSentAsNearAsPossible() {
    start(new EnvoyOptions());
    RateLimitResponse.DescriptorStatus bucket = ask("pattern", "x").getStatuses(0);
    assertThat(bucket.getCurrentLimit().getUnit())
        .isEqualTo(RateLimitResponse.RateLimit.Unit.UNKNOWN);
    assertThat(bucket.getDurationUntilReset().getSeconds()).isEqualTo(6);
    RateLimitResponse.DescriptorStatus large = ask("large", "x").getStatuses(0);
    assertThat(large.getCurrentLimit().getRequestsPerUnit()).isEqualTo(-1); // the largest uint32
    assertThat(large.getLimitRemaining()).isEqualTo(-1);
  }

  @Test
  void metadataOfALimitThatAllowsIsSentToTheProxy() {
    start(new EnvoyOptions());
    assertThat(
            ask("tagged", "x")
                .getDynamicMetadata()
                .getFieldsOrThrow("pool")
                .getStructValue()
                .getFieldsOrThrow("name")
                .getStringValue())
        .isEqualTo("first");
  }

  @Test
  void healthAndReflectionAreServed() throws Exception {
    start(new EnvoyOptions());
    assertThat(
            HealthGrpc.newBlockingStub(channel)
                .check(HealthCheckRequest.newBuilder().setService("ratelimit").build())
                .getStatus())
        .isEqualTo(ServingStatus.SERVING);
    assertThat(services())
        .contains(
            "envoy.service.ratelimit.v3.RateLimitService",
            "grpc.reflection.v1.ServerReflection",
            "grpc.reflection.v1alpha.ServerReflection");
  }

  @Test
  void callsThatCannotBeAnsweredGetTheStatusOfTheReference() {
    start(new EnvoyOptions());
    assertThat(failure(RateLimitRequest.getDefaultInstance()))
        .isEqualTo("UNKNOWN rate limit domain must not be empty");
    assertThat(failure(RateLimitRequest.newBuilder().setDomain("shop").build()))
        .isEqualTo("UNKNOWN rate limit descriptor list must not be empty");
    RateLimitRequest.Builder many = RateLimitRequest.newBuilder().setDomain("shop");
    for (int i = 0; i < 101; i++) {
      many.addDescriptors(request("user", "ann").getDescriptors(0));
    }
    assertThat(failure(many.build())).isEqualTo("UNKNOWN descriptors must be at most 100, was 101");
  }

  @Test
  void overloadIsShedAsUnavailable() throws Exception {
    try (RedisProcess redis = RedisProcess.start()) {
      ServerOptions options = options(new EnvoyOptions()).maxInFlight(1).store(redis.uri());
      start(options.deadline(Duration.ofSeconds(30)));
      ask("user", "ann");
      redis.suspend();
      CompletableFuture<RateLimitResponse> waiting = askLater("user", "ann");
      assertThat(failure(request("user", "ann")))
          .isEqualTo("UNAVAILABLE too many requests are waiting for an answer");
      redis.resume();
      waiting.handle((answer, failed) -> "ended").get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void aStoreThatFailsLeavesTheDecisionToTheProxyUnlessTheRuleSaysOtherwise() {
    try (RedisProcess redis = RedisProcess.start()) {
      start(options(new EnvoyOptions()).store(redis.uri()).deadline(Duration.ofSeconds(10)));
      ask("user", "ann");
    }
    assertThat(failure(request("user", "ann"))).isEqualTo("UNAVAILABLE the store cannot answer");
    RateLimitResponse lenient = ask("lenient", "x");
    assertThat(lenient.getOverallCode()).isEqualTo(Code.OK);
    assertThat(lenient.getStatuses(0).hasCurrentLimit()).isFalse();
  }

  @Test
  void aCallerWithADeadlineIsAnsweredByTheFailurePolicyBeforeIt() {
    try (RedisProcess redis = RedisProcess.start()) {
      start(options(new EnvoyOptions()).store(redis.uri()).deadline(Duration.ofSeconds(30)));
      ask("user", "ann");
      redis.suspend();
      StatusRuntimeException failed =
          catchThrowableOfType(
              StatusRuntimeException.class, () -> askWithin("user", Duration.ofSeconds(2)));
      assertThat(failed.getStatus().getDescription()).isEqualTo("the store cannot answer");
      assertThat(askWithin("lenient", Duration.ofSeconds(2)).getOverallCode()).isEqualTo(Code.OK);
      redis.resume();
    }
  }

  private RateLimitResponse askWithin(String key, Duration deadline) {
    return RateLimitServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS)
        .shouldRateLimit(request(key, "ann"));
  }

  @Test
  void administratorsSeeTheLimitsOfDomains() {
    start(new EnvoyOptions());
    assertThat(service.http.get("/rlconfig").status()).isEqualTo(401);
    assertThat(service.http.get("/rlconfig", RunningService.ADMIN).body())
        .startsWith(
            "shop.user: unit=DAY requests_per_unit=2, shadow_mode: false, quota_mode: false,"
                + " algorithm: fixed-window\n"
                + "shop.pattern: unit=UNKNOWN requests_per_unit=5, shadow_mode: false,"
                + " quota_mode: false, algorithm: token-bucket, period: 30s\n");
  }

  @Test
  void jsonHasTheStatusOfTheDecision() {
    start(new EnvoyOptions());
    String body =
        "{\"domain\":\"shop\",\"descriptors\":[{\"entries\":[{\"key\":\"user\",\"value\":\"j\"}]}]}";
    assertThat(service.http.post("/json", body).status()).isEqualTo(200);
    assertThat(service.http.post("/json", body).status()).isEqualTo(200);
    assertThat(service.http.post("/json", body).status()).isEqualTo(429);
    assertThat(service.http.post("/json", "{}").detail())
        .isEqualTo("rate limit domain must not be empty");
    assertThat(service.http.post("/json", "{\"domain\": 1}").detail())
        .isEqualTo("domain must be text");
    assertThat(service.http.post("/json", "[").status()).isEqualTo(400);
    assertThat(service.http.post("/json", "{\"colour\": 1}").detail())
        .isEqualTo("\"colour\" is not known here");
  }

  @Test
  void onlyAdministratorsGivePermitsBackInJson() {
    start(new EnvoyOptions());
    ask("user", "ann");
    String body =
        "{\"domain\":\"shop\",\"descriptors\":[{\"entries\":[{\"key\":\"user\",\"value\":\"ann\"}],"
            + "\"hitsAddend\":1,\"isNegativeHits\":true}]}";
    assertThat(service.http.post("/json", body).status()).isEqualTo(403);
    assertThat(service.http.post("/json", body).detail())
        .isEqualTo(
            "isNegativeHits gives permits back: that needs the admin token as a bearer token");
    assertThat(service.http.post("/json", body, RunningService.ADMIN).status()).isEqualTo(200);
    ask("user", "ann");
    assertThat(ask("user", "ann").getOverallCode()).isEqualTo(Code.OK); // two again
  }

  @Test
  void decisionsOverHttpAndAdministrationWorkWithDomains() {
    start(new EnvoyOptions());
    Map<String, String> ann = Map.of("domain", "shop", "user", "ann");
    ask("user", "ann");
    assertThat(service.http.check(ann).status()).isEqualTo(200);
    assertThat(service.http.check(ann).status()).isEqualTo(429);
    String body = "{\"attributes\":{\"domain\":\"shop\",\"user\":\"ann\"}}";
    assertThat(service.http.post("/v1/reset", body, RunningService.ADMIN).body())
        .isEqualTo("{\"limits\":[{\"rule\":\"shop\",\"name\":\"user\",\"key\":\"user=ann\"}]}\n");
    assertThat(ask("user", "ann").getOverallCode()).isEqualTo(Code.OK);
    service.http.post("/v1/block", body, RunningService.ADMIN);
    assertThat(ask("user", "ann").getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    service.http.put("/v1/kill-switch", "", RunningService.ADMIN);
    assertThat(ask("user", "ann").getOverallCode()).isEqualTo(Code.OK);
  }

  @Test
  void metricsPerRuleHaveTheNamesOfTheReferenceService() {
    start(new EnvoyOptions().ruleMetrics(true));
    ask("user", "ann");
    ask("user", "ann");
    ask("user", "ann");
    assertThat(service.http.get("/metrics").body())
        .contains(
            "ratelimit_service_rate_limit_total_hits{domain=\"shop\",key1=\"user\",key2=\"\"} 3.0")
        .contains(
            "ratelimit_service_rate_limit_over_limit{domain=\"shop\",key1=\"user\",key2=\"\"} 1.0")
        .contains(
            "ratelimit_service_rate_limit_near_limit{domain=\"shop\",key1=\"user\",key2=\"\"} 1.0");
  }

  private List<String> services() throws Exception {
    CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
    StreamObserver<ServerReflectionRequest> asking =
        ServerReflectionGrpc.newStub(channel).serverReflectionInfo(observer(answer));
    asking.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
    List<String> names =
        answer.get(20, TimeUnit.SECONDS).getListServicesResponse().getServiceList().stream()
            .map(ServiceResponse::getName)
            .toList();
    asking.onCompleted();
    return names;
  }

  private CompletableFuture<RateLimitResponse> askLater(String key, String value) {
    CompletableFuture<RateLimitResponse> answer = new CompletableFuture<>();
    RateLimitServiceGrpc.newStub(channel).shouldRateLimit(request(key, value), observer(answer));
    return answer;
  }

  private static <T> StreamObserver<T> observer(CompletableFuture<T> answer) {
    return new StreamObserver<>() {
      @Override
      public void onNext(T value) {
        answer.complete(value);
      }

      @Override
      public void onError(Throwable failed) {
        answer.completeExceptionally(failed);
      }

      @Override
      public void onCompleted() {}
    };
  }

  private RateLimitResponse ask(String key, String value) {
    return RateLimitServiceGrpc.newBlockingStub(channel).shouldRateLimit(request(key, value));
  }

  private String failure(RateLimitRequest request) {
    StatusRuntimeException failed =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> RateLimitServiceGrpc.newBlockingStub(channel).shouldRateLimit(request));
    return failed.getStatus().getCode() + " " + failed.getStatus().getDescription();
  }

  private static RateLimitRequest request(String key, String value) {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("shop");
    request.addDescriptorsBuilder().addEntriesBuilder().setKey(key).setValue(value);
    return request.build();
  }

  private static Map<String, String> headers(RateLimitResponse response) {
    return response.getResponseHeadersToAddList().stream()
        .collect(Collectors.toMap(HeaderValue::getKey, HeaderValue::getValue));
  }
}
