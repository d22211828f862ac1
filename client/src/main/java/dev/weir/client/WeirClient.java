package dev.weir.client;

import dev.weir.FailurePolicy;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.CompletionFailures;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Asks the service for decisions, over HTTP. Safe for many threads; one per program is enough.
 *
 * <pre>{@code
 * WeirClient weir = WeirClient.builder(URI.create("http://weir:8080")).build();
 * RemoteDecision decision = weir.check(Map.of("user", "u-42", "path", "/api/x"));
 * if (!decision.allowed()) {
 *   // 429; decision.retryAfter() says when to come again
 * }
 * }</pre>
 *
 * <p>No call takes longer than the deadline. If the service cannot answer by then, the failure
 * policy answers, and the decision's source is {@link RemoteDecision#CLIENT}.
 *
 * <p>An asynchronous answer is completed on a thread of the HTTP client or, if the deadline ended
 * the call, on a thread for callbacks, named {@code weir-callback-…}.
 */
public final class WeirClient {
  private final HttpClient http;
  private final URI service;
  private final Duration deadline;
  private final FailurePolicy failurePolicy;
  private final int retries;

  private WeirClient(Builder builder) {
    service = builder.service;
    deadline = builder.deadline;
    failurePolicy = builder.failurePolicy;
    retries = builder.retries;
    http = HttpClient.newBuilder().connectTimeout(deadline).build();
  }

  /**
   * @param service where it is: {@code http://host:port} or {@code https://host:port}
   */
  public static Builder builder(URI service) {
    return new Builder(service);
  }

  /** Decides, and takes one permit of every limit that applies if it allows. */
  public RemoteDecision check(Map<String, String> attributes) {
    return check(attributes, 1);
  }

  /**
   * Decides, and takes the permits of every limit that applies if it allows.
   *
   * @param attributes what is known of the request, as the rules name it
   * @param permits what the request costs; 0 asks without taking
   * @throws IllegalArgumentException if the service refuses the question, with what it expected
   * @throws StoreUnavailableException if the service cannot answer and the failure policy is ERROR
   */
  public RemoteDecision check(Map<String, String> attributes, long permits) {
    return CompletionFailures.join(checkAsync(attributes, permits));
  }

  /** As {@link #check(Map, long)}; no thread waits. */
  public CompletionStage<RemoteDecision> checkAsync(Map<String, String> attributes, long permits) {
    Optional<String> id = Optional.of(UUID.randomUUID().toString());
    return call("/v1/check", attributes, permits, id, retries);
  }

  /** Says what a check would answer, and takes nothing. */
  public RemoteDecision peek(Map<String, String> attributes, long permits) {
    return CompletionFailures.join(
        call("/v1/peek", attributes, permits, Optional.empty(), retries));
  }

  /**
   * Takes always, into debt: for a cost known only afterwards. It is sent once, whatever {@link
   * Builder#retries} says, because a charge that is sent again is taken again.
   */
  public RemoteDecision charge(Map<String, String> attributes, long permits) {
    return CompletionFailures.join(call("/v1/charge", attributes, permits, Optional.empty(), 0));
  }

  private CompletableFuture<RemoteDecision> call(
      String path, Map<String, String> attributes, long permits, Optional<String> id, int again) {
    if (permits < 0) {
      throw new IllegalArgumentException("permits must be 0 or more, was " + permits);
    }
    String body = JsonValues.question(attributes, permits);
    return new CallAttempts(http, service.resolve(path), body, deadline, id)
        .send(again)
        .thenApply(AnswerReader::read)
        .exceptionally(this::byPolicy);
  }

  private RemoteDecision byPolicy(Throwable failure) {
    Throwable cause = CompletionFailures.unwrap(failure);
    if (cause instanceof IllegalArgumentException refused) {
      throw refused;
    }
    return switch (failurePolicy) {
      case ALLOW -> RemoteDecision.byClient(true);
      case DENY -> RemoteDecision.byClient(false);
      case LOCAL, ERROR -> throw unavailable(cause);
    };
  }

  private StoreUnavailableException unavailable(Throwable cause) {
    return cause instanceof StoreUnavailableException known
        ? known
        : new StoreUnavailableException(
            "the service at " + service + " did not answer within " + deadline.toMillis() + " ms",
            cause);
  }

  /** Settings of a {@link WeirClient}. Not safe for many threads. */
  public static final class Builder {
    private final URI service;
    private Duration deadline = Duration.ofMillis(200);
    private FailurePolicy failurePolicy = FailurePolicy.ALLOW;
    private int retries = 1;

    private Builder(URI service) {
      if (service.getHost() == null || !String.valueOf(service.getScheme()).matches("https?")) {
        throw new IllegalArgumentException(
            "service must be http://host:port or https://host:port, was " + service);
      }
      this.service = service;
    }

    /** The longest a call may take, attempts included: 200 ms by default. */
    public Builder deadline(Duration longest) {
      if (longest.isNegative() || longest.isZero()) {
        throw new IllegalArgumentException("deadline must be longer than zero, was " + longest);
      }
      deadline = longest;
      return this;
    }

    /** What answers if the service does not: ALLOW by default. There is no local share here. */
    public Builder failurePolicy(FailurePolicy policy) {
      if (Objects.requireNonNull(policy, "policy") == FailurePolicy.LOCAL) {
        throw new IllegalArgumentException("failurePolicy must be ALLOW, DENY or ERROR, was LOCAL");
      }
      failurePolicy = policy;
      return this;
    }

    /** How often a call whose connection broke is sent again: once by default. */
    public Builder retries(int times) {
      if (times < 0) {
        throw new IllegalArgumentException("retries must be 0 or more, was " + times);
      }
      retries = times;
      return this;
    }

    public WeirClient build() {
      return new WeirClient(this);
    }
  }
}
