package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.GuardListener;
import dev.weir.Limit;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.Window;
import dev.weir.internal.Check;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * This instance's share of limits while their store is away: floor(limit / instances), in process.
 *
 * <p>A key starts with what the store last said was left of it, if that is less. What is used here
 * is noted, and charged to the store when it is back; only what the store has taken note of is
 * forgotten here, or an answer that was under way when the store fell would hand out a share once
 * more. Memory is bounded; a key beyond the bound is denied, and its remaining is not remembered.
 * Safe for many threads.
 */
final class LocalShare {
  private static final System.Logger LOG = System.getLogger(LocalShare.class.getName());
  private static final int MAX_KEYS = 100_000;
  private static final int CLAIMS_PER_CHARGE = 50;

  private final GuardListener listener;
  private final MemoryStore local = MemoryStore.builder().maxKeys(MAX_KEYS).build();
  private final ConcurrentHashMap<StateKey, Long> lastRemaining = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<StateKey, Claim> used = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<StateKey, Boolean> seeded = new ConcurrentHashMap<>();
  private final Set<String> silentNodes = ConcurrentHashMap.newKeySet();
  private final Set<String> settlingNodes = ConcurrentHashMap.newKeySet();
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private volatile CompletableFuture<Void> settled = CompletableFuture.completedFuture(null);

  LocalShare(GuardListener listener) {
    this.listener = listener;
  }

  void remember(Claim claim, Verdict verdict) {
    if (lastRemaining.size() >= MAX_KEYS) {
      lastRemaining.clear(); // keys then start with their whole share, which is still bounded
    }
    lastRemaining.put(StateKey.of(claim), verdict.remaining());
  }

  /** Answers for each claim, all or nothing, in place of these nodes. */
  List<Verdict> answer(Question question, Set<String> nodes, int instances) {
    if (!silentNodes.containsAll(nodes)) {
      start(nodes, instances);
    }
    List<Claim> shares = new ArrayList<>();
    for (Claim claim : question.claims()) {
      Optional<Limit> limit = share(claim.policy().limit(), instances);
      if (limit.isEmpty()) {
        return nothing(question);
      }
      shares.add(new Claim(withLimit(claim.policy(), limit.get()), claim.key(), claim.permits()));
    }
    Verdicts verdicts = take(question, shares);
    return verdicts.each().stream().map(LocalShare::asFallback).toList();
  }

  /** What is taken is noted before anything can be forgotten. */
  private Verdicts take(Question question, List<Claim> shares) {
    lock.readLock().lock();
    try {
      shares.forEach(this::seed);
      Verdicts verdicts = join(local.decide(new Question(question.operation(), shares)));
      if (verdicts.allowed() && question.operation() != Operation.PEEK) {
        question.claims().forEach(this::note);
      }
      return verdicts;
    } finally {
      lock.readLock().unlock();
    }
  }

  /** A limit divided by the instances, rounded down; empty if nothing is left of it. */
  static Optional<Limit> share(Limit limit, int instances) {
    long capacity = limit.capacity() / instances;
    if (capacity == 0) {
      return Optional.empty();
    }
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> bucketShare((Limit.TokenBucket) limit, capacity, instances);
      case FIXED_WINDOW -> {
        Window window = ((Limit.FixedWindow) limit).window();
        yield Optional.of(new Limit.FixedWindow(capacity, window));
      }
      case SLIDING_WINDOW -> Optional.of(Limit.slidingWindow(capacity, limit.period()));
      case SLIDING_LOG -> Optional.of(Limit.slidingLog(capacity, limit.period()));
    };
  }

  /** A longer period divides the rate exactly; where it cannot be longer, the permits are. */
  private static Optional<Limit> bucketShare(
      Limit.TokenBucket bucket, long capacity, int instances) {
    Duration longer = bucket.period().multipliedBy(instances);
    if (longer.compareTo(Check.MAX_PERIOD) <= 0) {
      return Optional.of(new Limit.TokenBucket(capacity, bucket.permits(), longer));
    }
    long permits = bucket.permits() / instances;
    return permits == 0
        ? Optional.empty()
        : Optional.of(new Limit.TokenBucket(capacity, permits, bucket.period()));
  }

  private static Policy withLimit(Policy policy, Limit limit) {
    return new Policy(policy.rule(), policy.name(), limit, policy.mode(), policy.onStoreFailure());
  }

  private void seed(Claim share) {
    StateKey name = StateKey.of(share);
    if (seeded.size() < MAX_KEYS && seeded.putIfAbsent(name, true) == null) {
      long capacity = share.policy().limit().capacity();
      long gone = capacity - Math.min(capacity, lastRemaining.getOrDefault(name, capacity));
      if (gone > 0) {
        Claim before = new Claim(share.policy(), share.key(), gone);
        join(local.decide(new Question(Operation.CHARGE, List.of(before))));
      }
    }
  }

  private void note(Claim claim) {
    if (claim.permits() > 0 && used.size() < MAX_KEYS) {
      used.merge(
          StateKey.of(claim),
          claim,
          (before, more) ->
              new Claim(more.policy(), more.key(), saturated(before.permits() + more.permits())));
    }
  }

  private static long saturated(long sum) {
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  private synchronized void start(Set<String> nodes, int instances) {
    boolean first = silentNodes.isEmpty();
    silentNodes.addAll(nodes);
    if (first) {
      LOG.log(Level.WARNING, "{0} is away: answering from 1/{1} of its limits", nodes, instances);
      listener.fallbackStarted();
    }
  }

  /** Called when a node has answered: charges what was used here in its place. */
  void settle(LimitStore store, String node) {
    if (!silentNodes.contains(node) || !settlingNodes.add(node)) {
      return;
    }
    List<Claim> charged = takeUsed(store, node);
    List<CompletableFuture<Boolean>> charges = new ArrayList<>();
    for (int from = 0; from < charged.size(); from += CLAIMS_PER_CHARGE) {
      int to = Math.min(from + CLAIMS_PER_CHARGE, charged.size());
      charges.add(charge(store, charged.subList(from, to)));
    }
    settled =
        CompletableFuture.allOf(charges.toArray(CompletableFuture<?>[]::new))
            .thenRun(() -> finish(node, charges.stream().allMatch(CompletableFuture::join)));
  }

  /** If the node was silent again, its next answer is taken for its return. */
  private synchronized void finish(String node, boolean back) {
    if (back && silentNodes.remove(node) && silentNodes.isEmpty()) {
      LOG.log(Level.INFO, "{0} is back: what was used meanwhile is charged to it", node);
      listener.fallbackEnded();
    }
    settlingNodes.remove(node);
  }

  private List<Claim> takeUsed(LimitStore store, String node) {
    List<Claim> taken = new ArrayList<>();
    for (Map.Entry<StateKey, Claim> entry : used.entrySet()) {
      Claim claim = entry.getValue();
      if (store.node(claim).equals(node) && used.remove(entry.getKey(), claim)) {
        taken.add(claim);
      }
    }
    return taken;
  }

  /** Whether the node is back; what it has not taken note of, it will be told again. */
  private CompletableFuture<Boolean> charge(LimitStore store, List<Claim> claims) {
    return store
        .decide(new Question(Operation.CHARGE, claims))
        .toCompletableFuture()
        .handle(
            (verdicts, thrown) ->
                verdicts == null ? failed(claims, thrown) : charged(claims, verdicts));
  }

  private boolean failed(List<Claim> claims, Throwable thrown) {
    claims.forEach(this::note);
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    return cause instanceof StoreUnavailableException failure && failure.isRefusal();
  }

  private boolean charged(List<Claim> claims, Verdicts verdicts) {
    boolean back = true;
    for (int i = 0; i < claims.size(); i++) {
      StoreUnavailableException failure = verdicts.each().get(i).failure();
      if (failure == null) {
        forget(claims.get(i));
      } else {
        note(claims.get(i));
        back &= failure.isRefusal();
      }
    }
    return back;
  }

  /** Of a key that was used again meanwhile, nothing is forgotten yet. */
  private void forget(Claim claim) {
    StateKey name = StateKey.of(claim);
    lock.writeLock().lock();
    try {
      if (!used.containsKey(name)) {
        seeded.remove(name);
        local.reset(List.of(claim));
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  CompletableFuture<Void> settled() {
    return settled;
  }

  private static Verdict asFallback(Verdict verdict) {
    return verdict.from(Source.FALLBACK);
  }

  private static List<Verdict> nothing(Question question) {
    Verdict denied = asFallback(new Verdict(0, false, 0, 0, 0));
    return question.claims().stream().map(claim -> denied).toList();
  }

  private static Verdicts join(CompletionStage<Verdicts> answered) {
    return answered.toCompletableFuture().join();
  }

  void close() {
    local.close();
  }
}
