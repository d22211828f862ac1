package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.RateLimiter;
import dev.weir.http.HttpLimiter;
import dev.weir.rules.RuleSet;
import io.grpc.CallOptions;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What limits that count only some responses make of calls, by how these end. */
final class CallOutcomeTest {
  private final MemoryStore store = MemoryStore.builder().time(new ManualTime()).build();
  private EchoService echo;

  @AfterEach
  void stop() {
    echo.close();
    store.close();
  }

  @Test
  void aLimitThatCountsFailuresGivesBackCallsThatSucceed() throws Exception {
    start(twoPerMinuteWith("count: {status: [401, 500-599]}"));
    for (int i = 0; i < 5; i++) {
      assertThat(call()).isEqualTo("hello");
      assertThat(failing("NOT_FOUND")).isEqualTo(Status.Code.NOT_FOUND);
    }
    assertThat(failing("UNAUTHENTICATED")).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(call()).isEqualTo("hello");
    assertThat(failing("throws")).isEqualTo(Status.Code.UNKNOWN);
    assertThat(failing("NOT_FOUND")).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UNKNOWN", "UNAVAILABLE", "INTERNAL", "throws"})
  void aLimitCanGiveBackCallsThatTheServerFailedToServe(String failure) throws Exception {
    start(twoPerMinuteWith("give-back: {status: [500-599]}"));
    for (int i = 0; i < 5; i++) {
      untilNotLimited(failure);
    }
    assertThat(failing("UNAUTHENTICATED")).isEqualTo(Status.Code.UNAUTHENTICATED);
    untilNotLimited("PERMISSION_DENIED");
    assertThat(failing("hello")).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
  }

  /** A call whose handler throws is reported after the client has its answer. */
  private void untilNotLimited(String text) {
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    Status.Code code = failing(text);
    while (code == Status.Code.RESOURCE_EXHAUSTED && System.nanoTime() < deadline) {
      code = failing(text);
    }
    assertThat(code).isNotEqualTo(Status.Code.RESOURCE_EXHAUSTED);
  }

  private Status.Code failing(String text) {
    return catchThrowableOfType(
            StatusRuntimeException.class,
            () ->
                ClientCalls.blockingUnaryCall(
                    echo.channel, EchoService.UNARY, CallOptions.DEFAULT, text))
        .getStatus()
        .getCode();
  }

  private WeirInterceptor twoPerMinuteWith(String setting) {
    RuleSet rules =
        RuleSet.parse(
            "rules",
            "rules: [{name: calls, limits: [{name: all, key: ip, limit: 2 per minute, %s}]}]"
                .formatted(setting));
    return WeirInterceptor.of(
        HttpLimiter.byRules(() -> rules, RateLimiter.forClaims(store)).build());
  }

  private void start(WeirInterceptor interceptor) throws IOException {
    echo = new EchoService(UnaryOperator.identity(), interceptor);
  }

  private String call() {
    return EchoService.call(echo.channel, CallOptions.DEFAULT);
  }
}
