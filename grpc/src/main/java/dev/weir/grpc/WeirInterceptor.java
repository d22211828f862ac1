package dev.weir.grpc;

import dev.weir.http.HttpAnswer;
import dev.weir.http.HttpLimiter;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Limits the calls to a gRPC server. Safe for many threads; never blocks one.
 *
 * <pre>{@code
 * HttpLimiter limiter = HttpLimiter.byKey(KeyResolver.header("x-api-key"), perMinute).build();
 * Server server =
 *     Grpc.newServerBuilderForPort(50051, credentials)
 *         .addService(orders)
 *         .intercept(WeirInterceptor.of(limiter))
 *         .build();
 * }</pre>
 *
 * <p>To rules and keys a call is what it is to HTTP/2: {@code path} is {@code
 * /package.Service/Method}, {@code header.<name>} its metadata, {@code ip} the peer, {@code method}
 * is POST. A stream counts once, when it starts.
 *
 * <p>A denied call is closed with RESOURCE_EXHAUSTED and the details {@code QuotaFailure} and
 * {@code RetryInfo}; one that is denied because the store failed, with UNAVAILABLE.
 */
public final class WeirInterceptor implements ServerInterceptor {
  private static final System.Logger LOG = System.getLogger(WeirInterceptor.class.getName());

  private final HttpLimiter limiter;
  private final CallAttributes attributes;
  private final Executor executor;

  private WeirInterceptor(Builder builder) {
    this.limiter = builder.limiter;
    this.attributes = builder.attributes;
    this.executor = builder.executor == null ? Threads.DEFAULT : builder.executor;
  }

  /** What only the application knows of a call: {@code user}, {@code tenant}, {@code plan}. */
  @FunctionalInterface
  public interface CallAttributes {
    /**
     * The value of an attribute; null if the call has none. Called in the {@link Context} of the
     * call, where earlier interceptors put the user, for example.
     */
    @Nullable String value(String name, ServerCall<?, ?> call, Metadata metadata);
  }

  public static WeirInterceptor of(HttpLimiter limiter) {
    return builder(limiter).build();
  }

  public static Builder builder(HttpLimiter limiter) {
    return new Builder(Objects.requireNonNull(limiter, "limiter must not be null"));
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata metadata, ServerCallHandler<Q, R> next) {
    CompletableFuture<HttpAnswer> decided =
        limiter.decide(new GrpcIncomingRequest(call, metadata, attributes)).toCompletableFuture();
    if (decided.isDone()) {
      return start(call, metadata, next, decided.join());
    }
    Context context = Context.current();
    DelayedListener<Q, R> listener = new DelayedListener<>();
    decided
        .thenAcceptAsync(
            answer ->
                context.run(
                    () -> listener.start(call, held -> start(held, metadata, next, answer))),
            executor)
        .exceptionally(failed -> fail(call, failed));
    return listener;
  }

  /** Closes the call as gRPC does when an interceptor or the start of a handler throws. */
  private static @Nullable Void fail(ServerCall<?, ?> call, Throwable failed) {
    LOG.log(System.Logger.Level.ERROR, "a call could not be started", failed);
    call.close(Status.UNKNOWN.withCause(failed), new Metadata());
    return null;
  }

  private static <Q, R> ServerCall.Listener<Q> start(
      ServerCall<Q, R> call, Metadata metadata, ServerCallHandler<Q, R> next, HttpAnswer answer) {
    if (answer.allowed()) {
      return SlotReleasingListener.start(
          answer, () -> next.startCall(new ResponseFields<>(call, answer), metadata));
    }
    if (!call.isCancelled()) {
      Refusal refusal = Refusal.of(answer, Context.current().getDeadline());
      call.close(refusal.status(), refusal.trailers());
    }
    return new ServerCall.Listener<>() {};
  }

  /**
   * Created when first needed; stores that answer at once never need it.
   *
   * <p>Not the callback threads of the library, of which there are 32: interceptors behind this one
   * may block, as they may on gRPC's own default executor, which has no bound either. They would
   * hold up each other and all listeners, and for good if they wait for calls to this server.
   */
  private static final class Threads {
    static final Executor DEFAULT =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "weir-grpc");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Settings of a {@link WeirInterceptor}. Not safe for many threads. */
  public static final class Builder {
    private final HttpLimiter limiter;
    private CallAttributes attributes = (name, call, metadata) -> null;
    private @Nullable Executor executor;

    private Builder(HttpLimiter limiter) {
      this.limiter = limiter;
    }

    /** Attributes that only the application knows, for rules and keys. */
    public Builder attributes(CallAttributes newAttributes) {
      attributes = Objects.requireNonNull(newAttributes, "attributes must not be null");
      return this;
    }

    /**
     * Starts calls that had to wait for their decision; the executor of the server, for example. By
     * default threads of this library, one per call that starts at the same time.
     */
    public Builder executor(Executor newExecutor) {
      executor = Objects.requireNonNull(newExecutor, "executor must not be null");
      return this;
    }

    public WeirInterceptor build() {
      return new WeirInterceptor(this);
    }
  }
}
