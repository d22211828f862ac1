package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.QuotaFailure;
import com.google.rpc.RetryInfo;
import dev.weir.DecisionListener;
import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.RateLimiter;
import dev.weir.http.HttpLimiter;
import dev.weir.http.KeyResolver;
import dev.weir.rules.RuleSet;
import dev.weir.spi.LimitStore;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The interceptor in a real server, asked by a real client. */
final class WeirInterceptorTest {
  private final ManualTime time = new ManualTime();
  private final LimitStore store = MemoryStore.builder().time(time).build();
  private EchoService echo;

  @AfterEach
  void stop() {
    echo.close();
    store.close();
  }

  @Test
  void aDeniedCallSaysWhichLimitAndHowLongToWait() throws Exception {
    start(WeirInterceptor.of(twoPerMinute(KeyResolver.address())));
    call();
    call();
    StatusRuntimeException denied = denied(CallOptions.DEFAULT);
    assertThat(denied.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(denied.getStatus().getDescription()).isEqualTo("the limit is used up: minute");
    assertThat(detail(denied, RetryInfo.class).getRetryDelay().getSeconds()).isEqualTo(30);
    QuotaFailure.Violation violation = detail(denied, QuotaFailure.class).getViolations(0);
    assertThat(violation.getSubject()).isEqualTo("policy:minute");
    assertThat(violation.getDescription()).isEqualTo("at most 2 permits in PT1M");
    assertThat(violation.getQuotaId()).isEqualTo("calls/minute");
    assertThat(violation.getQuotaValue()).isEqualTo(2);
    assertThat(violation.toString()).doesNotContain("127.0.0.1");
    assertThat(trailer(denied, "grpc-retry-pushback-ms")).isEqualTo("30000");
    assertThat(trailer(denied, "ratelimit")).isEqualTo("\"minute\";r=0;t=30");
    time.advance(Duration.ofSeconds(30));
    assertThat(call()).isEqualTo("hello");
  }

  @Test
  void aCallThatAllItsQuotasDenyNamesThem() throws Exception {
    RuleSet rules =
        RuleSet.parse(
            "test",
            """
            rules:
              - name: plans
                mode: quota
                limits:
                  - {name: own, key: ip, limit: 1 per minute}
                  - {name: shared, key: [], limit: 2 per minute}
            """);
    start(
        WeirInterceptor.of(HttpLimiter.byRules(() -> rules, RateLimiter.forClaims(store)).build()));
    call();
    call();
    StatusRuntimeException denied = denied(CallOptions.DEFAULT);
    assertThat(denied.getStatus().getDescription()).isEqualTo("the limit is used up: own, shared");
    assertThat(detail(denied, QuotaFailure.class).getViolationsList())
        .extracting(QuotaFailure.Violation::getQuotaId)
        .containsExactly("plans/own", "plans/shared");
  }

  @Test
  void anAllowedCallCarriesTheFieldsInItsHeaders() throws Exception {
    start(WeirInterceptor.of(twoPerMinute(KeyResolver.address())));
    AtomicReference<Metadata> headers = new AtomicReference<>();
    AtomicReference<Metadata> trailers = new AtomicReference<>();
    Channel channel =
        ClientInterceptors.intercept(
            echo.channel, MetadataUtils.newCaptureMetadataInterceptor(headers, trailers));
    EchoService.call(channel, CallOptions.DEFAULT);
    assertThat(headers.get().get(key("ratelimit"))).isEqualTo("\"minute\";r=1;t=30");
    assertThat(headers.get().get(key("ratelimit-policy"))).isEqualTo("\"minute\";q=2;w=60");
  }

  @Test
  void aWaitBeyondTheCallersDeadlineIsNotWorthARetry() throws Exception {
    start(WeirInterceptor.of(twoPerMinute(KeyResolver.address())));
    call();
    call();
    assertThat(
            trailer(
                denied(CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS)),
                "grpc-retry-pushback-ms"))
        .isEqualTo("-1");
    assertThat(
            trailer(
                denied(CallOptions.DEFAULT.withDeadlineAfter(1, TimeUnit.HOURS)),
                "grpc-retry-pushback-ms"))
        .isEqualTo("30000");
  }

  @Test
  void aRetryingClientWaitsAsLongAsItIsTold() throws Exception {
    DecisionListener clockMover =
        (operation, decision) -> {
          if (!decision.allowed()) {
            time.advance(decision.retryAfter());
          }
        };
    RateLimiter onePerSecond =
        limiter(Limit.tokenBucket(1, Duration.ofSeconds(1)), FailurePolicy.ALLOW)
            .listener(clockMover)
            .build();
    AtomicInteger attempts = new AtomicInteger();
    start(
        counting(attempts),
        WeirInterceptor.of(HttpLimiter.byKey(KeyResolver.address(), onePerSecond).build()));
    ManagedChannel retrying = echo.connect(retryPolicy("RESOURCE_EXHAUSTED"));
    EchoService.call(retrying, CallOptions.DEFAULT);
    EchoService.call(retrying, CallOptions.DEFAULT);
    assertThat(attempts).hasValue(3);
    retrying.shutdownNow();
  }

  @Test
  void aRetryingClientGivesUpOnACallThatCanNeverPass() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    RateLimiter two =
        limiter(Limit.tokenBucket(2, Duration.ofMinutes(1)), FailurePolicy.ALLOW).build();
    start(
        counting(attempts),
        WeirInterceptor.of(HttpLimiter.byKey(KeyResolver.address(), r -> 3, two).build()));
    ManagedChannel retrying = echo.connect(retryPolicy("RESOURCE_EXHAUSTED"));
    StatusRuntimeException denied =
        catchThrowableOfType(
            StatusRuntimeException.class, () -> EchoService.call(retrying, CallOptions.DEFAULT));
    assertThat(trailer(denied, "grpc-retry-pushback-ms")).isEqualTo("-1");
    assertThat(StatusProto.fromThrowable(denied).getDetailsCount()).isEqualTo(1);
    assertThat(attempts).hasValue(1);
    retrying.shutdownNow();
  }

  @Test
  void metadataAndAttributesOfTheApplicationAreKeys() throws Exception {
    KeyResolver key =
        request -> request.get("header.X-Api-Key") + request.get("tenant") + request.get("host");
    AtomicReference<String> seen = new AtomicReference<>();
    start(
        WeirInterceptor.builder(
                twoPerMinute(
                    request -> {
                      seen.set(key.key(request));
                      return "k";
                    }))
            .attributes((name, call, metadata) -> name.equals("tenant") ? "/acme/" : null)
            .build());
    Metadata metadata = new Metadata();
    metadata.put(key("x-api-key"), "secret");
    Channel channel =
        ClientInterceptors.intercept(
            echo.channel, MetadataUtils.newAttachHeadersInterceptor(metadata));
    EchoService.call(channel, CallOptions.DEFAULT.withAuthority("api.example"));
    assertThat(seen).hasValue("secret/acme/api.example");
  }

  @Test
  void rulesChooseLimitsByTheMethodsPath() throws Exception {
    RuleSet rules =
        RuleSet.parse(
            "test",
            """
            rules:
              - name: unary
                when: {path: /test.Echo/Unary}
                limits: [{name: unary, key: ip, limit: 1 per minute}]
            """);
    start(
        WeirInterceptor.of(HttpLimiter.byRules(() -> rules, RateLimiter.forClaims(store)).build()));
    call();
    denied(CallOptions.DEFAULT);
    for (int i = 0; i < 3; i++) {
      ClientCalls.blockingUnaryCall(echo.channel, EchoService.OTHER, CallOptions.DEFAULT, "x");
    }
  }

  @Test
  void aStoreThatFailsIsUnavailableWhereThePolicySaysDeny() throws Exception {
    store.close();
    for (FailurePolicy policy : List.of(FailurePolicy.DENY, FailurePolicy.ERROR)) {
      startOver(new UnreachableStore(), policy);
      StatusRuntimeException denied = denied(CallOptions.DEFAULT);
      assertThat(denied.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(trailer(denied, "grpc-retry-pushback-ms")).isEqualTo("1000");
      assertThat(trailer(denied, "weir-source")).isEqualTo("fallback");
      echo.close();
    }
    startOver(new UnreachableStore(), FailurePolicy.ALLOW);
    assertThat(call()).isEqualTo("hello");
  }

  @Test
  void noTransportThreadWaitsForTheStore() throws Exception {
    HeldStore held = new HeldStore(store);
    startOver(held, FailurePolicy.ALLOW, server -> server.directExecutor());
    var first =
        ClientCalls.futureUnaryCall(
            echo.channel.newCall(EchoService.UNARY, CallOptions.DEFAULT), "first");
    assertThat(held.asked.await(30, TimeUnit.SECONDS)).isTrue();
    // The only event loop of the connection is free: it carries another call to the store.
    var second =
        ClientCalls.futureUnaryCall(
            echo.channel.newCall(EchoService.UNARY, CallOptions.DEFAULT), "second");
    assertThat(held.askedTwice.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(first.isDone()).isFalse();
    held.release.complete(null);
    assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("first");
    assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo("second");
    assertThat(echo.handlerThreads).hasSize(2).noneMatch(name -> name.startsWith("weir-"));
    assertThat(denied(CallOptions.DEFAULT).getStatus().getCode())
        .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
  }

  @Test
  void aCallThatCannotBeStartedLaterIsClosed() throws Exception {
    HeldStore held = new HeldStore(store);
    ServerInterceptor faulty =
        new ServerInterceptor() {
          @Override
          public <Q, R> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, R> call, Metadata metadata, ServerCallHandler<Q, R> next) {
            throw new IllegalStateException("as the test asks");
          }
        };
    RateLimiter limiter =
        RateLimiter.builder()
            .name("calls")
            .limit("minute", Limit.tokenBucket(2, Duration.ofMinutes(1)))
            .store(held)
            .build();
    start(WeirInterceptor.of(HttpLimiter.byKey(KeyResolver.address(), limiter).build()), faulty);
    var call =
        ClientCalls.futureUnaryCall(
            echo.channel.newCall(EchoService.UNARY, CallOptions.DEFAULT), "x");
    assertThat(held.asked.await(30, TimeUnit.SECONDS)).isTrue();
    held.release.complete(null);
    assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("UNKNOWN");
  }

  @Test
  void aStreamThatWaitsForTheStoreLosesNothing() throws Exception {
    HeldStore held = new HeldStore(store);
    startOver(held, FailurePolicy.ALLOW);
    try (StreamClient stream = new StreamClient(echo.channel)) {
      stream.send("a", "b", "c");
      assertThat(held.asked.await(30, TimeUnit.SECONDS)).isTrue();
      held.release.complete(null);
      assertThat(stream.received()).containsExactly("a", "b", "c");
    }
  }

  private void startOver(LimitStore over, FailurePolicy policy) throws IOException {
    startOver(over, policy, server -> server);
  }

  private void startOver(
      LimitStore over,
      FailurePolicy policy,
      UnaryOperator<io.grpc.netty.NettyServerBuilder> settings)
      throws IOException {
    RateLimiter limiter =
        RateLimiter.builder()
            .name("calls")
            .limit("minute", Limit.tokenBucket(2, Duration.ofMinutes(1)), policy)
            .store(over)
            .build();
    echo =
        new EchoService(
            settings,
            WeirInterceptor.of(HttpLimiter.byKey(KeyResolver.address(), limiter).build()));
  }

  private void start(ServerInterceptor... interceptors) throws IOException {
    echo = new EchoService(server -> server, interceptors);
  }

  private String call() {
    return EchoService.call(echo.channel, CallOptions.DEFAULT);
  }

  private StatusRuntimeException denied(CallOptions options) {
    StatusRuntimeException denied =
        catchThrowableOfType(
            StatusRuntimeException.class, () -> EchoService.call(echo.channel, options));
    assertThat(denied).isNotNull();
    return denied;
  }

  private HttpLimiter twoPerMinute(KeyResolver key) {
    Limit limit = Limit.tokenBucket(2, Duration.ofMinutes(1));
    return HttpLimiter.byKey(key, limiter(limit, FailurePolicy.ALLOW).build()).build();
  }

  private RateLimiter.Builder limiter(Limit limit, FailurePolicy policy) {
    return RateLimiter.builder().name("calls").limit("minute", limit, policy).store(store);
  }

  private static ServerInterceptor counting(AtomicInteger attempts) {
    return new ServerInterceptor() {
      @Override
      public <Q, R> ServerCall.Listener<Q> interceptCall(
          ServerCall<Q, R> call, Metadata metadata, ServerCallHandler<Q, R> next) {
        attempts.incrementAndGet();
        return next.startCall(call, metadata);
      }
    };
  }

  private static Map<String, ?> retryPolicy(String code) {
    Map<String, ?> policy =
        Map.of(
            "maxAttempts",
            4.0,
            "initialBackoff",
            "0.001s",
            "maxBackoff",
            "0.001s",
            "backoffMultiplier",
            1.0,
            "retryableStatusCodes",
            List.of(code));
    return Map.of(
        "methodConfig", List.of(Map.of("name", List.of(Map.of()), "retryPolicy", policy)));
  }

  private static <T extends com.google.protobuf.Message> T detail(
      StatusRuntimeException denied, Class<T> type) throws InvalidProtocolBufferException {
    for (var detail : StatusProto.fromThrowable(denied).getDetailsList()) {
      if (detail.is(type)) {
        return detail.unpack(type);
      }
    }
    throw new AssertionError("no " + type.getSimpleName() + " in " + denied);
  }

  private static String trailer(StatusRuntimeException denied, String name) {
    return denied.getTrailers().get(key(name));
  }

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }
}
