package dev.weir.benchmarks.lease;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.GuardedStore;
import dev.weir.LeaseStatus;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.Receipt;
import dev.weir.Source;
import dev.weir.redis.RedisStore;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.LeaseAnswer;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** One limiter, the threads that ask it, and what was measured since {@link #countAnew}. */
final class LoadedInstance implements AutoCloseable {
  private static final String KEY = "key";

  private final @Nullable CallCountingStore counted;
  private final @Nullable GuardedStore guarded;
  private final RateLimiter limiter;
  private final LongAdder decisions = new LongAdder();
  private final LongAdder allowed = new LongAdder();
  private volatile Histogram nanos = new ConcurrentHistogram(3);
  private volatile long pauseNanos;
  private volatile boolean stopped;
  private List<Thread> callers = List.of();
  private Counts before;

  /** What has happened so far. */
  record Counts(long decisions, long allowed, long calls, long leased, long expired) {
    Counts minus(Counts other) {
      return new Counts(
          decisions - other.decisions,
          allowed - other.allowed,
          calls - other.calls,
          leased - other.leased,
          expired - other.expired);
    }

    Counts plus(Counts other) {
      return minus(
          new Counts(
              -other.decisions, -other.allowed, -other.calls, -other.leased, -other.expired));
    }

    double callsPerDecision() {
      return calls / (double) decisions;
    }
  }

  private LoadedInstance(
      Policy policy, @Nullable CallCountingStore counted, @Nullable GuardedStore guarded) {
    this.counted = counted;
    this.guarded = guarded;
    RateLimiter.Builder builder =
        RateLimiter.builder().policy(policy.onStoreFailure(FailurePolicy.DENY));
    this.limiter = builder.store(guarded == null ? MemoryStore.create() : guarded).build();
    this.before = counts();
  }

  static LoadedInstance over(RedisProcess redis, Policy policy) {
    CallCountingStore counted =
        new CallCountingStore(
            RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(5)).build());
    return new LoadedInstance(
        policy, counted, GuardedStore.builder(counted).deadline(Duration.ofSeconds(5)).build());
  }

  static LoadedInstance inProcess(Policy policy) {
    return new LoadedInstance(policy, null, null);
  }

  /**
   * @param perSecond how many requests all threads together make; 0 for as many as they can
   */
  LoadedInstance load(int threads, double perSecond) {
    pace(threads, perSecond);
    callers = IntStream.range(0, threads).mapToObj(i -> new Thread(this::ask)).toList();
    callers.forEach(Thread::start);
    return this;
  }

  /** Changes how many requests the threads make. */
  void pace(int threads, double perSecond) {
    pauseNanos = perSecond == 0 ? 0 : (long) (threads * 1e9 / perSecond);
  }

  private void ask() {
    long due = System.nanoTime();
    while (!stopped) {
      long now = System.nanoTime();
      Decision decision = limiter.decide(KEY);
      nanos.recordValue(System.nanoTime() - now);
      if (decision.source() != Source.FALLBACK) {
        decisions.increment();
        allowed.add(decision.allowed() ? 1 : 0);
      }
      long pause = pauseNanos;
      due = Math.max(due + pause, now - pause);
      if (pause > 0) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
    }
  }

  void countAnew() {
    before = counts();
    nanos = new ConcurrentHistogram(3);
  }

  Counts counted() {
    return counts().minus(before);
  }

  private Counts counts() {
    LeaseStatus leases = guarded == null ? null : guarded.leases();
    return new Counts(
        decisions.sum(),
        allowed.sum(),
        counted == null ? 0 : counted.calls.sum(),
        leases == null ? 0 : leases.leased(),
        leases == null ? 0 : leases.expired());
  }

  double p99Micros() {
    return nanos.getValueAtPercentile(99) / 1000.0;
  }

  @Override
  public void close() {
    stopped = true;
    callers.forEach(LoadedInstance::join);
    if (guarded != null) {
      guarded.close();
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Counts the questions that reach a store. Safe for many threads. */
  static final class CallCountingStore extends ForwardingLimitStore {
    final LongAdder calls = new LongAdder();

    CallCountingStore(LimitStore store) {
      super(store);
    }

    @Override
    public CompletionStage<Verdicts> decide(Question question) {
      calls.increment();
      return super.decide(question);
    }

    @Override
    public CompletionStage<LeaseAnswer> lease(Question question, int times) {
      calls.increment();
      return super.lease(question, times);
    }

    @Override
    public CompletionStage<Verdicts> refund(Receipt receipt) {
      calls.increment();
      return super.refund(receipt);
    }
  }
}
