package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.http.HttpLimiter;
import dev.weir.http.KeyResolver;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests in flight over gRPC. The clock stands still: only a release makes a slot free again. */
final class CallSlotsTest {
  private static final Policy SLOTS =
      Policy.of("calls", "slots", Limit.inFlight(1, Duration.ofSeconds(30)));
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  private final MemoryStore store = MemoryStore.builder().time(new ManualTime()).build();
  private EchoService echo;

  private void start(ServerInterceptor... inner) throws Exception {
    RateLimiter limiter = RateLimiter.builder().store(store).policy(SLOTS).build();
    ServerInterceptor weir =
        WeirInterceptor.of(HttpLimiter.byKey(KeyResolver.everybody(), limiter).build());
    ServerInterceptor[] all = new ServerInterceptor[inner.length + 1];
    all[0] = weir;
    System.arraycopy(inner, 0, all, 1, inner.length);
    echo = new EchoService(UnaryOperator.identity(), all);
  }

  @AfterEach
  void stop() {
    echo.close();
    store.close();
  }

  @Test
  void aCallThatCompletesReleasesItsSlot() throws Exception {
    start();
    for (int call = 0; call < 3; call++) {
      assertThat(EchoService.call(echo.channel, CallOptions.DEFAULT)).isEqualTo("hello");
      awaitFree(1);
    }
  }

  @Test
  void aStreamHoldsItsSlotUntilItIsCancelled() throws Exception {
    start();
    for (int round = 0; round < 3; round++) {
      ClientCall<String, String> stream =
          echo.channel.newCall(EchoService.STREAM, CallOptions.DEFAULT);
      stream.start(new ClientCall.Listener<>() {}, new Metadata());
      stream.request(1);
      stream.sendMessage("hello");
      awaitFree(0);
      assertThatThrownBy(() -> EchoService.call(echo.channel, CallOptions.DEFAULT))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("RESOURCE_EXHAUSTED");
      stream.cancel("the client has gone", null);
      awaitFree(1);
    }
  }

  @Test
  void aCallThatIsClosedWithAnErrorReleasesItsSlot() throws Exception {
    start(
        new ServerInterceptor() {
          @Override
          public <Q, A> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, A> call, Metadata fields, ServerCallHandler<Q, A> next) {
            call.close(Status.INTERNAL, new Metadata());
            return new ServerCall.Listener<>() {};
          }
        });
    assertThatThrownBy(() -> EchoService.call(echo.channel, CallOptions.DEFAULT))
        .hasMessageContaining("INTERNAL");
    awaitFree(1);
  }

  @Test
  void aCallThatCannotBeStartedReleasesItsSlot() throws Exception {
    start(
        new ServerInterceptor() {
          @Override
          public <Q, A> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, A> call, Metadata fields, ServerCallHandler<Q, A> next) {
            throw new IllegalStateException("does not start");
          }
        });
    assertThatThrownBy(() -> EchoService.call(echo.channel, CallOptions.DEFAULT))
        .isInstanceOf(StatusRuntimeException.class);
    awaitFree(1);
  }

  private long free() {
    Claim slot = Claim.of(SLOTS, "");
    return RateLimiter.forClaims(store).peek(List.of(slot)).remaining();
  }

  private void awaitFree(long expected) {
    long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
    while (free() != expected && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(free()).isEqualTo(expected);
  }
}
