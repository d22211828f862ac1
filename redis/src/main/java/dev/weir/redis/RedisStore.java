package dev.weir.redis;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Receipt;
import dev.weir.StoreUnavailableException;
import dev.weir.TimeSource;
import dev.weir.internal.Check;
import dev.weir.redis.internal.connection.ConnectionSettings;
import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.redis.internal.protocol.OperationCode;
import dev.weir.redis.internal.protocol.QuestionHead;
import dev.weir.redis.internal.script.HashSlotGroups;
import dev.weir.redis.internal.script.Heartbeat;
import dev.weir.redis.internal.script.LostAnswerRetry;
import dev.weir.redis.internal.script.MultiHashSlotRequest;
import dev.weir.redis.internal.script.ReceiptCalls;
import dev.weir.redis.internal.script.ScriptExecutor;
import dev.weir.redis.internal.script.ScriptWarmUp;
import dev.weir.spi.LeaseAnswer;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SslOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Keeps state in Redis 6.2 or newer, or Valkey: for more than one instance. Safe for many threads.
 *
 * <p>A question is one script call, whatever the number of limits and keys; the server's clock is
 * used. A call that was sent is never sent again, except when the server says that it does not know
 * the script, and as {@link Builder#askAgain} says.
 *
 * <p><b>Which thread completes an answer.</b> No thread waits for the server. A reply completes the
 * answer on an I/O thread of the Redis client, a timeout on a thread of the client's executor
 * group. A continuation must block neither.
 *
 * <p>After {@link #close}, every call throws an {@link IllegalStateException}; calls that wait for
 * a reply at that time fail.
 */
public final class RedisStore implements LimitStore {
  private final ScriptExecutor executor;
  private final KeyNames names;
  private final MultiHashSlotRequest multiHashSlot =
      new MultiHashSlotRequest(this::refund, this::forget);
  private final HashSlotGroups hashSlots;
  private final ReceiptCalls receipts;
  private final Heartbeat heartbeat;
  private final SharedTexts texts;
  private final @Nullable LostAnswerRetry lostAnswers;
  private volatile boolean closed;

  private RedisStore(ScriptExecutor executor, Builder builder) {
    this.executor = executor;
    this.names = builder.names;
    this.hashSlots = new HashSlotGroups(executor.topology(), names);
    this.receipts = new ReceiptCalls(executor, hashSlots, multiHashSlot);
    this.heartbeat = new Heartbeat(executor::heartbeat);
    this.texts = new SharedTexts(executor, names, this::refuseIfClosed);
    this.lostAnswers =
        builder.askAgain ? new LostAnswerRetry(executor.topology().timer(), builder.timeout) : null;
  }

  /** Warms up now if a server is connected, otherwise as soon as one is. */
  private RedisStore warmUp() {
    ScriptWarmUp warmUp = new ScriptWarmUp(this::decide);
    executor.topology().whenConnected(() -> warmUp.begin());
    if (executor.topology().isConnected()) {
      warmUp.beginAndWait();
    }
    return this;
  }

  /**
   * Connects with the usual settings.
   *
   * @param uri {@code redis://}, or {@code rediss://} for TLS, with {@code user:password@} if
   *     needed
   * @throws StoreUnavailableException if the server cannot be reached or used, with what to change
   */
  public static RedisStore connect(String uri) {
    return builder(uri).build();
  }

  public static Builder builder(String uri) {
    return new Builder(Check.notBlank("uri", uri), null);
  }

  /**
   * Uses the caller's client, for a single server or Sentinels. The caller sets its options and
   * closes it. A client that reconnects by itself is refused, because it could send calls twice:
   * the store reconnects without its help.
   */
  public static Builder builder(RedisClient client, String uri) {
    return new Builder(Check.notBlank("uri", uri), Check.notNull("client", client));
  }

  @Override
  public CompletionStage<Verdicts> decide(Question asked) {
    refuseIfClosed();
    Question question = withHolder(asked);
    List<List<Integer>> groups = hashSlots.of(question.claims());
    if (groups.size() == 1) {
      return ask(question);
    }
    return multiHashSlot.ask(
        question.claims(),
        groups,
        question.operation() == Operation.ACQUIRE ? Optional.of(question) : Optional.empty(),
        own -> ask(question.about(own)));
  }

  /** Adds a holder if slots are taken and there is none: the script needs one. */
  private static Question withHolder(Question question) {
    return question.operation() == Operation.ACQUIRE
            && question.holder().isEmpty()
            && anyOnSlots(question.claims())
        ? new Question(
            question.operation(),
            question.claims(),
            Optional.of(UUID.randomUUID()),
            question.requestId())
        : question;
  }

  private static boolean anyOnSlots(List<Claim> claims) {
    for (int i = 0; i < claims.size(); i++) {
      if (claims.get(i).policy().limit().algorithm() == Algorithm.IN_FLIGHT) {
        return true;
      }
    }
    return false;
  }

  private CompletionStage<Verdicts> ask(Question question) {
    return lostAnswers == null || question.requestId().isEmpty()
        ? askOnce(question)
        : lostAnswers.ask(question, () -> askOnce(question));
  }

  private CompletionStage<Verdicts> askOnce(Question question) {
    return executor.ask(
        OperationCode.of(question.operation()), question.claims(), QuestionHead.of(question));
  }

  /** Asks in a call of its own, without batching: one lease serves many requests. */
  @Override
  public CompletionStage<LeaseAnswer> lease(Question question, int times) {
    refuseIfClosed();
    return hashSlots.of(question.claims()).size() == 1
        ? executor.lease(question.claims(), times)
        : LimitStore.super.lease(question, 1);
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    refuseIfClosed();
    return receipts.refund(receipt);
  }

  @Override
  public CompletionStage<Verdicts> settle(Receipt receipt, List<Long> costs) {
    refuseIfClosed();
    return lostAnswers == null
        ? receipts.settle(receipt, costs)
        : lostAnswers.call(() -> receipts.settle(receipt, costs));
  }

  @Override
  public CompletionStage<List<Boolean>> renew(Receipt held) {
    refuseIfClosed();
    return receipts.renew(held);
  }

  @Override
  public CompletionStage<Void> forget(Question question) {
    refuseIfClosed();
    CompletableFuture<?>[] forgotten =
        hashSlots
            .claimsOf(question.claims())
            .flatMap(own -> forget(own.get(0), QuestionHead.of(question.about(own))).stream())
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(forgotten);
  }

  private Optional<CompletableFuture<Long>> forget(Claim first, QuestionHead head) {
    return head.answer().map(answer -> executor.forget(first, answer.name()).toCompletableFuture());
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    refuseIfClosed();
    CompletableFuture<?>[] resets =
        claims.stream()
            .map(claim -> executor.reset(claim).toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(resets);
  }

  /** Texts that all instances share, such as their rules. */
  public SharedTexts texts() {
    return texts;
  }

  @Override
  public List<String> warnings() {
    return executor.warnings();
  }

  /** On a Cluster: grants that could not be given back after a denial, since the start. */
  public long lostGiveBacks() {
    return multiHashSlot.lostGiveBacks();
  }

  /** The server the claim's key lives on. */
  @Override
  public String node(Claim claim) {
    return executor.nodeName(executor.topology().isSpread() ? names.slot(claim) : 0);
  }

  /**
   * The highest number of instances that was alive at one time in the last ten minutes, without
   * those that have been closed since. The first call starts a heartbeat, by which the other
   * instances count this one until it is closed. Never waits.
   */
  @Override
  public OptionalInt instances() {
    refuseIfClosed();
    return heartbeat.instances();
  }

  private void refuseIfClosed() {
    if (closed) {
      throw new IllegalStateException("the store is closed");
    }
  }

  /** Ends all connections; calls under way fail, and later ones are refused. */
  @Override
  public void close() {
    closed = true;
    heartbeat.stop();
    executor.close();
  }

  /** Settings of a {@link RedisStore}. Not safe for many threads. */
  public static final class Builder {
    private final String uri;
    private final @Nullable RedisClient client;
    private KeyNames names = new KeyNames("default");
    private Duration timeout = Duration.ofMillis(200);
    private Duration connectTimeout = Duration.ofSeconds(2);
    private int maxInFlight = 10_000;
    private boolean requireServer = true;
    private boolean askAgain;
    private @Nullable TimeSource clientTime;
    private Optional<RedisTls> tls = Optional.empty();
    private Optional<SslOptions> sslOptions = Optional.empty();

    private Builder(String uri, @Nullable RedisClient client) {
      this.uri = uri;
      this.client = client;
    }

    /**
     * Certificates to use in the place of the JVM's, and what is checked of the server's. The
     * address must begin with {@code rediss}.
     */
    public Builder tls(RedisTls files) {
      if (client != null) {
        throw new IllegalStateException("tls must be set in the options of the client");
      }
      tls = Optional.of(Check.notNull("files", files));
      return this;
    }

    /**
     * The client's options for TLS, such as managers of keys and trust, in the place of files. The
     * address must begin with {@code rediss}.
     */
    public Builder sslOptions(SslOptions options) {
      if (client != null) {
        throw new IllegalStateException("sslOptions must be set in the options of the client");
      }
      sslOptions = Optional.of(Check.notNull("options", options));
      return this;
    }

    /** Keeps applications apart that share a server; "default" by default. */
    public Builder namespace(String namespace) {
      names = new KeyNames(Check.notNull("namespace", namespace));
      return this;
    }

    /** How long an answer may take: 200 ms by default. */
    public Builder timeout(Duration newTimeout) {
      timeout = Check.period("timeout", newTimeout);
      return this;
    }

    /** How long connecting may take: 2 s by default. */
    public Builder connectTimeout(Duration newTimeout) {
      connectTimeout = Check.period("connectTimeout", newTimeout);
      return this;
    }

    /** How many calls may wait for an answer at once; more fail at once. 10,000 by default. */
    public Builder maxInFlight(int calls) {
      Check.atLeastOne("maxInFlight", calls);
      maxInFlight = calls;
      return this;
    }

    /** Starts even if the server cannot be reached; calls fail until it can. */
    public Builder startWithoutServer() {
      requireServer = false;
      return this;
    }

    /**
     * Asks again when the connection is lost before an answer has arrived, until the timeout: for
     * questions with a {@link dev.weir.RequestId} and for settlements, which take once however
     * often they are sent. Others are never sent twice. A guard around the store needs a deadline
     * long enough for a new connection. Off by default.
     */
    public Builder askAgain() {
      askAgain = true;
      return this;
    }

    /**
     * Uses this clock instead of the server's: for tests, and for servers whose clock cannot be
     * trusted. The clocks of all instances must then agree.
     */
    public Builder clientTime(TimeSource time) {
      clientTime = Check.notNull("time", time);
      return this;
    }

    ConnectionSettings settings() {
      return new ConnectionSettings(
          uri, client, tls, sslOptions, names, timeout, connectTimeout, maxInFlight, requireServer);
    }

    public RedisStore build() {
      return new RedisStore(ScriptExecutor.open(settings(), clientTime), this).warmUp();
    }
  }
}
