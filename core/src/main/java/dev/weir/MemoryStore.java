package dev.weir;

import dev.weir.internal.Check;
import dev.weir.internal.memory.StateTables;
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
 * <p>A key costs memory while something of it is used, and is forgotten when it is as good as
 * fresh; no thread is started for that. At most {@link Builder#maxKeys} keys are kept. When there
 * are more, the least used of a sample makes room; a key with nothing left is never dropped, and if
 * the whole sample is like that, the failure policy of the claim answers.
 */
public final class MemoryStore implements LimitStore {
  private final StateTables records;

  private MemoryStore(Builder builder) {
    records = new StateTables(builder.maxKeys, builder.time);
  }

  public static MemoryStore create() {
    return builder().build();
  }

  public static Builder builder() {
    return new Builder();
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    return CompletableFuture.completedFuture(records.decide(question));
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    return CompletableFuture.completedFuture(records.refund(receipt));
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    records.reset(claims);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public Optional<SingleLimitFastPath> direct(Policy policy) {
    return Optional.of(records.direct(policy));
  }

  /** How many keys are kept now, counted per policy. */
  public long keys() {
    return records.count();
  }

  /** Forgets everything. */
  @Override
  public void close() {
    records.clear();
  }

  /** Settings of a {@link MemoryStore}. */
  public static final class Builder {
    private long maxKeys = 10_000_000;
    private TimeSource time = TimeSource.system();

    private Builder() {}

    /** The most keys kept at once, counted per policy; 10 million unless said otherwise. */
    public Builder maxKeys(long keys) {
      maxKeys = Check.atLeastOne("maxKeys", keys);
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
