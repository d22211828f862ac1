package dev.weir.httpclient;

import dev.weir.TimeSource;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/**
 * Sends requests no faster than each server's answers allow. Safe for many threads; make one and
 * keep it, because what it knows of a server comes from earlier answers.
 *
 * <pre>{@code
 * PacedHttpClient client = PacedHttpClient.of(HttpClient.newHttpClient());
 * HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
 * }</pre>
 *
 * <p>By {@code RateLimit}, what remains is spread over the time until there is more; while nothing
 * remains, and as long as {@code Retry-After} says, nothing is sent. Requests wait in the order
 * they came, per server (scheme, host and port). A server that announces nothing is not slowed
 * down.
 */
public final class PacedHttpClient {
  private static final int TOO_MANY_REQUESTS = 429;

  /** Servers that are remembered before those that need no pace are forgotten. */
  private static final int MANY_SERVERS = 1000;

  private final HttpClient client;
  private final TimeSource time;
  private final Duration maxWait;
  private final int retries;
  private final Map<String, Pace> paces = new ConcurrentHashMap<>();

  private PacedHttpClient(Builder builder) {
    this.client = builder.client;
    this.time = builder.time;
    this.maxWait = builder.maxWait;
    this.retries = builder.retries;
  }

  public static PacedHttpClient of(HttpClient client) {
    return builder(client).build();
  }

  public static Builder builder(HttpClient client) {
    return new Builder(Objects.requireNonNull(client, "client must not be null"));
  }

  /**
   * Waits for its turn, and sends.
   *
   * @throws WaitTooLongException at once, if the turn would come too late
   */
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> body)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<T>> answer = sendAsync(request, body);
    try {
      return answer.get();
    } catch (InterruptedException interrupted) {
      answer.cancel(true);
      throw interrupted;
    } catch (ExecutionException failed) {
      throw rethrown(failed.getCause());
    }
  }

  /** As {@link #send}, and no thread waits; fails with the same exceptions. */
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> body) {
    return send(request, body, retries);
  }

  private <T> CompletableFuture<HttpResponse<T>> send(
      HttpRequest request, BodyHandler<T> body, int retriesLeft) {
    Pace pace = pace(request.uri());
    return turn(pace)
        .thenCompose(go -> client.sendAsync(request, body))
        .thenCompose(
            answer -> {
              Instant now = Instant.EPOCH.plus(time.nowMicros(), ChronoUnit.MICROS);
              pace.learn(AnswerLimits.read(answer.headers(), now));
              return answer.statusCode() == TOO_MANY_REQUESTS && retriesLeft > 0
                  ? send(request, body, retriesLeft - 1)
                  : CompletableFuture.completedFuture(answer);
            });
  }

  private CompletableFuture<Void> turn(Pace pace) {
    Duration wait = pace.reserve(maxWait);
    if (wait.compareTo(maxWait) > 0) {
      return CompletableFuture.failedFuture(new WaitTooLongException(wait, maxWait));
    }
    return after(wait).thenCompose(waited -> whilePaused(pace));
  }

  private CompletableFuture<Void> whilePaused(Pace pace) {
    Duration pause = pace.pause();
    if (pause.compareTo(maxWait) > 0) {
      return CompletableFuture.failedFuture(new WaitTooLongException(pause, maxWait));
    }
    return pause.isZero() ? after(pause) : after(pause).thenCompose(waited -> whilePaused(pace));
  }

  private CompletableFuture<Void> after(Duration wait) {
    return wait.isZero()
        ? CompletableFuture.completedFuture(null)
        : time.after(wait).toCompletableFuture();
  }

  private Pace pace(URI uri) {
    if (paces.size() > MANY_SERVERS) {
      paces.values().removeIf(Pace::isIdle);
    }
    return paces.computeIfAbsent(
        uri.getScheme() + "://" + uri.getAuthority(), server -> new Pace(time));
  }

  private static IOException rethrown(Throwable cause) {
    if (cause instanceof IOException failure) {
      return failure;
    }
    if (cause instanceof RuntimeException bug) {
      throw bug;
    }
    return cause instanceof InterruptedException
        ? new InterruptedIOException(cause.getMessage())
        : new IOException(cause);
  }

  /** Settings of a {@link PacedHttpClient}. Not safe for many threads. */
  public static final class Builder {
    private final HttpClient client;
    private TimeSource time = TimeSource.system();
    private Duration maxWait = Duration.ofMinutes(1);
    private int retries;

    private Builder(HttpClient client) {
      this.client = client;
    }

    /** The longest a request waits for its turn, or for one after a denial: a minute by default. */
    public Builder maxWait(Duration newMaxWait) {
      if (newMaxWait.isNegative()) {
        throw new IllegalArgumentException("maxWait must be 0 or more, was " + newMaxWait);
      }
      maxWait = newMaxWait;
      return this;
    }

    /** How often a request that was answered with 429 is sent again: not at all by default. */
    public Builder retries(int newRetries) {
      if (newRetries < 0) {
        throw new IllegalArgumentException("retries must be 0 or more, was " + newRetries);
      }
      retries = newRetries;
      return this;
    }

    /** A clock that a test moves by hand. */
    public Builder time(TimeSource newTime) {
      time = Objects.requireNonNull(newTime, "time must not be null");
      return this;
    }

    public PacedHttpClient build() {
      return new PacedHttpClient(this);
    }
  }
}
