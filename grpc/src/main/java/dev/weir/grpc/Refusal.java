package dev.weir.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.QuotaFailure;
import com.google.rpc.RetryInfo;
import dev.weir.Algorithm;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Outcome;
import dev.weir.http.HttpAnswer;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The status and trailers that a denied call is closed with.
 *
 * <p>The trailer {@code grpc-retry-pushback-ms} tells a client with a retry policy how long to
 * wait. -1 tells it not to retry: the call can never pass, or not within its deadline.
 */
record Refusal(Status status, Metadata trailers) {
  private static final Metadata.Key<String> PUSHBACK =
      Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);

  /** The same wait as in Retry-After over HTTP. */
  private static final java.time.Duration WAIT_FOR_STORE = java.time.Duration.ofSeconds(1);

  static Refusal of(HttpAnswer answer, @Nullable Deadline deadline) {
    return switch (answer.status()) {
      case 429 -> exceeded(answer, answer.decision().orElseThrow(), deadline);
      case 503 -> unavailable(answer, deadline);
      default ->
          new Refusal(
              Status.INVALID_ARGUMENT.withDescription("the call cannot be read for sure"),
              new Metadata());
    };
  }

  private static Refusal exceeded(
      HttpAnswer answer, Decision decision, @Nullable Deadline deadline) {
    java.time.Duration wait = decision.retryAfter();
    com.google.rpc.Status.Builder details =
        com.google.rpc.Status.newBuilder()
            .setCode(Status.Code.RESOURCE_EXHAUSTED.value())
            .setMessage("the limit is used up: " + String.join(", ", names(decision)))
            .addDetails(Any.pack(quotaFailure(decision)));
    if (!wait.equals(Decision.NEVER)) {
      details.addDetails(Any.pack(retryInfo(wait)));
    }
    return of(details.build(), wait, answer, deadline);
  }

  private static Refusal unavailable(HttpAnswer answer, @Nullable Deadline deadline) {
    com.google.rpc.Status details =
        com.google.rpc.Status.newBuilder()
            .setCode(Status.Code.UNAVAILABLE.value())
            .setMessage("the rate limiter cannot decide")
            .addDetails(Any.pack(retryInfo(WAIT_FOR_STORE)))
            .build();
    return of(details, WAIT_FOR_STORE, answer, deadline);
  }

  private static Refusal of(
      com.google.rpc.Status details,
      java.time.Duration wait,
      HttpAnswer answer,
      @Nullable Deadline deadline) {
    Metadata trailers = StatusProto.toStatusException(details).getTrailers();
    trailers.put(PUSHBACK, Long.toString(pushbackMillis(wait, deadline)));
    trailers.merge(ResponseFields.of(answer));
    Status status = Status.fromCodeValue(details.getCode()).withDescription(details.getMessage());
    return new Refusal(status, trailers);
  }

  private static long pushbackMillis(java.time.Duration wait, @Nullable Deadline deadline) {
    if (wait.equals(Decision.NEVER)) {
      return -1;
    }
    long millis = wait.plusNanos(999_999).toMillis();
    return deadline == null || millis < deadline.timeRemaining(TimeUnit.MILLISECONDS) ? millis : -1;
  }

  private static RetryInfo retryInfo(java.time.Duration wait) {
    return RetryInfo.newBuilder()
        .setRetryDelay(Duration.newBuilder().setSeconds(wait.getSeconds()).setNanos(wait.getNano()))
        .build();
  }

  /** Names policies and never keys, which may be personal. */
  private static QuotaFailure quotaFailure(Decision decision) {
    QuotaFailure.Builder failure = QuotaFailure.newBuilder();
    for (Outcome outcome : decision.denying()) {
      Limit limit = outcome.policy().limit();
      failure
          .addViolationsBuilder()
          .setSubject("policy:" + outcome.policy().name())
          .setDescription(description(limit))
          .setQuotaId(outcome.policy().rule() + "/" + outcome.policy().name())
          .setQuotaValue(limit.permits());
    }
    return failure.build();
  }

  private static String description(Limit limit) {
    return limit.algorithm() == Algorithm.IN_FLIGHT
        ? "at most " + limit.permits() + " requests at once"
        : "at most " + limit.permits() + " permits in " + limit.period();
  }

  private static List<String> names(Decision decision) {
    return decision.denying().stream().map(outcome -> outcome.policy().name()).distinct().toList();
  }
}
