package dev.weir;

import dev.weir.internal.Check;
import dev.weir.internal.memory.StateTables;
import dev.weir.spi.LeaseAnswer;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.SingleLimitFastPath;
import dev.weir.spi.Verdicts;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Keeps state inside this process: the default. Safe for many threads; answers at once, on the
 * calling thread.
 *
 * <p>A key costs memory while some of its permits are used, and is forgotten when it is fresh
 * again; no thread is started for that. At most {@link Builder#maxKeys} keys in at most {@link
 * Builder#maxBytes} bytes are kept. Beyond that, the least used of a sample of the largest policy's
 * keys is evicted. An exhausted key is never evicted; if the whole sample is exhausted, the failure
 * policy of the claim answers. Half of the store is divided evenly between the policies: a flood of
 * one policy's keys can use the other half and its own part, but evicts no key of a policy that
 * holds no more than its part.
 *
 * <p>So a full store may allow too much: at most the permits that a forgotten key had used, and the
 * requests that failure policies allow. {@link #warnings} and a line in the log report that it is
 * full.
 */
public final class MemoryStore implements LimitStore {
  private final StateTables tables;

  private MemoryStore(Builder builder) {
    tables = new StateTables(builder.maxKeys, builder.maxBytes, builder.time);
  }

  public static MemoryStore create() {
    return builder().build();
  }

  public static Builder builder() {
    return new Builder();
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    return CompletableFuture.completedFuture(tables.decide(question));
  }

  @Override
  public CompletionStage<LeaseAnswer> lease(Question question, int times) {
    return CompletableFuture.completedFuture(tables.lease(question, times));
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    return CompletableFuture.completedFuture(tables.refund(receipt));
  }

  @Override
  public CompletionStage<List<Boolean>> renew(Receipt slots) {
    return CompletableFuture.completedFuture(tables.renew(slots));
  }

  @Override
  public CompletionStage<Verdicts> settle(Receipt receipt, List<Long> costs) {
    return CompletableFuture.completedFuture(tables.settle(receipt, costs));
  }

  @Override
  public CompletionStage<Void> forget(Question question) {
    tables.forget(question);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    tables.reset(claims);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public Optional<SingleLimitFastPath> fastPath(Policy policy) {
    return policy.limit().algorithm() == Algorithm.IN_FLIGHT
        ? Optional.empty() // its slots need a holder
        : Optional.of(tables.fastPath(policy));
  }

  /** How many keys are kept now, counted per policy. */
  public long keys() {
    return tables.count();
  }

  /** The part of the capacity that is used: 1 if the store is full. */
  public double fill() {
    return tables.fill();
  }

  /** Partly used keys that were forgotten to make room, since the start. */
  public long forgottenKeys() {
    return tables.forgottenKeys();
  }

  /** How often a new key found no room, since the start. */
  public long refusedKeys() {
    return tables.refusedKeys();
  }

  @Override
  public List<String> warnings() {
    return tables.warning().map(List::of).orElse(List.of());
  }

  @Override
  public String toString() {
    return "memory, at most " + tables.bounds();
  }

  /** Forgets everything; calls after that throw {@link IllegalStateException}. */
  @Override
  public void close() {
    tables.close();
  }

  /** Settings of a {@link MemoryStore}. */
  public static final class Builder {
    private long maxKeys = 10_000_000;
    private long maxBytes = Runtime.getRuntime().maxMemory() / 2;
    private TimeSource time = TimeSource.system();

    private Builder() {}

    /**
     * The most keys kept at once, counted per policy; 10 million by default. Policies that are
     * first used when the store is full may keep a few more: a seventh more for all of them
     * together.
     */
    public Builder maxKeys(long keys) {
      maxKeys = Check.atLeastOne("maxKeys", keys);
      return this;
    }

    /**
     * An estimate of the most memory that keys and their states may take; half of the largest heap
     * by default. A sliding log takes sixteen bytes more for each admission that memory is
     * allocated for, and needs room in the store to grow.
     */
    public Builder maxBytes(long bytes) {
      maxBytes = Check.atLeastOne("maxBytes", bytes);
      return this;
    }

    public Builder time(TimeSource source) {
      time = Check.notNull("time", source);
      return this;
    }

    public MemoryStore build() {
      return new MemoryStore(this);
    }
  }
}
