package dev.weir.server.grpc;

import dev.weir.StoreUnavailableException;
import dev.weir.internal.CompletionFailures;
import dev.weir.server.envoy.AnswerDetails;
import dev.weir.server.envoy.DescriptorService;
import dev.weir.server.envoy.InvalidCallException;
import dev.weir.server.envoy.RateLimitAnswer;
import dev.weir.server.envoy.RateLimitCall;
import dev.weir.server.grpc.message.RateLimitRequest;
import dev.weir.server.grpc.message.RateLimitResponse;
import dev.weir.server.grpc.message.RateLimitServiceGrpc.RateLimitServiceImplBase;
import dev.weir.server.http.WaitingRequests;
import dev.weir.server.service.SampledLog;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Answers proxies. Runs on event loops, so nothing in it blocks. Safe for many threads. */
final class RateLimitEndpoint extends RateLimitServiceImplBase {
  private static final SampledLog LOG = new SampledLog(RateLimitEndpoint.class);

  /** Made once: under overload there are many of them. */
  private static final StatusRuntimeException OVERLOADED =
      Status.UNAVAILABLE
          .withDescription("too many requests are waiting for an answer")
          .asRuntimeException();

  private static final StatusRuntimeException NO_STORE =
      Status.UNAVAILABLE.withDescription("the store cannot answer").asRuntimeException();

  private static final StatusRuntimeException TOO_LATE =
      Status.DEADLINE_EXCEEDED.withDescription("the deadline has passed").asRuntimeException();

  private final DescriptorService service;
  private final RateLimitMessages messages;
  private final WaitingRequests waiting;

  RateLimitEndpoint(DescriptorService service, AnswerDetails details, WaitingRequests waiting) {
    this.service = service;
    this.messages = new RateLimitMessages(details);
    this.waiting = waiting;
  }

  @Override
  public void shouldRateLimit(
      RateLimitRequest request, StreamObserver<RateLimitResponse> observer) {
    if (observer instanceof ServerCallStreamObserver<RateLimitResponse> call) {
      call.setOnCancelHandler(() -> {}); // then answering a call that was given up is no error
    }
    Deadline deadline = Context.current().getDeadline();
    if (deadline != null && deadline.isExpired()) {
      observer.onError(TOO_LATE);
    } else if (!waiting.tryEnter()) {
      observer.onError(OVERLOADED);
    } else {
      ask(request, deadline, observer);
    }
  }

  private void ask(
      RateLimitRequest request,
      @Nullable Deadline deadline,
      StreamObserver<RateLimitResponse> observer) {
    RateLimitCall call;
    CompletableFuture<RateLimitAnswer> asked;
    try {
      call = RateLimitMessages.read(request);
      asked = service.decide(call, patience(deadline)).toCompletableFuture();
    } catch (RuntimeException refused) {
      waiting.leave();
      observer.onError(status(refused));
      return;
    }
    if (asked.isDone()) {
      finish(call, asked, observer);
    } else {
      asked.whenComplete((answer, failed) -> finish(call, asked, observer));
    }
  }

  /** How long the caller can wait for the store, so that the answer is with it in time. */
  private static @Nullable Duration patience(@Nullable Deadline deadline) {
    return deadline == null
        ? null
        : Duration.ofNanos(deadline.timeRemaining(TimeUnit.NANOSECONDS) / 10 * 9);
  }

  private void finish(
      RateLimitCall call,
      CompletableFuture<RateLimitAnswer> asked,
      StreamObserver<RateLimitResponse> observer) {
    waiting.leave();
    RateLimitResponse response;
    try {
      response = messages.write(call, asked.join());
    } catch (RuntimeException failed) {
      observer.onError(status(CompletionFailures.unwrap(failed)));
      return;
    }
    observer.onNext(response);
    observer.onCompleted();
  }

  /** A call at fault gets the status that the reference service answers with: UNKNOWN. */
  private static StatusRuntimeException status(Throwable why) {
    if (why instanceof InvalidCallException) {
      return Status.UNKNOWN.withDescription(why.getMessage()).asRuntimeException();
    }
    if (why instanceof StoreUnavailableException) {
      return NO_STORE;
    }
    LOG.error("a call failed", why);
    return Status.INTERNAL.withDescription("the log of the service says why").asRuntimeException();
  }
}
