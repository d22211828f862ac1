package dev.weir.model;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.Mode;
import dev.weir.Policy;
import dev.weir.Receipt;
import dev.weir.Receipt.Grant;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletionStage;

/**
 * Random questions about several keys and policies, two versions of whose limits take turns,
 * answered by the store and by the models.
 */
final class StoreTrace implements AutoCloseable {
  private static final int NAMES = 4;
  private static final int KEYS = 3;

  private final Random random;
  private final ManualTime time = new ManualTime();
  private final MemoryStore store = MemoryStore.builder().time(time).build();
  private final Limit[][] versions = new Limit[NAMES][2];
  private final Map<String, StateModel> models = new HashMap<>();
  private final List<Grant> grants = new ArrayList<>();
  private long answers;

  /** The last name is a log in every version: nothing is carried over between it and others. */
  StoreTrace(Random random) {
    this.random = random;
    time.advanceMicros(random.nextLong(1_500_000_000_000_000L));
    for (int name = 0; name < NAMES; name++) {
      for (int version = 0; version < 2; version++) {
        int kinds = RandomLimits.SLIDING_LOG.ordinal();
        int kind = name == NAMES - 1 ? kinds : random.nextInt(kinds);
        versions[name][version] = RandomLimits.values()[kind].next(random);
      }
    }
  }

  long answers() {
    return answers;
  }

  void steps(int count) {
    for (int step = 0; step < count; step++) {
      time.advanceMicros(pause());
      switch (random.nextInt(12)) {
        case 0 -> refund(Receipt.undated(claims()));
        case 1, 2 -> refundGrants();
        case 3 -> reset();
        case 4, 5 -> decide(Operation.PEEK);
        case 6 -> decide(Operation.CHARGE);
        default -> decide(Operation.ACQUIRE);
      }
    }
  }

  @Override
  public void close() {
    store.close();
  }

  private void decide(Operation operation) {
    Question question = new Question(operation, claims());
    boolean[] fits = new boolean[question.claims().size()];
    boolean allowed = true;
    for (int i = 0; i < fits.length; i++) {
      Claim claim = question.claims().get(i);
      fits[i] = operation == Operation.CHARGE || fits(claim, now(), claim.permits());
      allowed &= fits[i] || !claim.policy().enforced();
    }
    Verdicts verdicts = await(store.decide(question));
    require(verdicts.allowed() == allowed, question, "allowed", allowed);
    for (int i = 0; i < fits.length; i++) {
      Claim claim = question.claims().get(i);
      if (allowed && fits[i] && claim.permits() > 0 && operation != Operation.PEEK) {
        boolean debt = !claim.policy().shadow();
        model(claim).take(limit(claim), now(), claim.permits(), operation, debt);
        if (operation == Operation.ACQUIRE) {
          grants.add(new Grant(claim, OptionalLong.of(verdicts.each().get(i).atMicros())));
        }
      }
      boolean fit = operation == Operation.CHARGE ? fits(claim, now(), 0) : fits[i];
      require(verdicts.each().get(i).fits() == fit, question, "fits " + i, fit);
    }
    check(question.claims(), verdicts);
  }

  /** One or two of the grants so far, which may be of one state. */
  private void refundGrants() {
    if (grants.size() > 1) {
      Grant one = grants.remove(random.nextInt(grants.size()));
      Grant two = grants.get(random.nextInt(grants.size()));
      boolean versions =
          one.claim().sameState(two.claim()) && !one.claim().policy().equals(two.claim().policy());
      refund(new Receipt(versions ? List.of(one) : List.of(one, two)));
    }
  }

  private void refund(Receipt receipt) {
    Verdicts verdicts = await(store.refund(receipt));
    for (Grant grant : receipt.grants()) {
      Claim claim = grant.claim();
      if (claim.permits() == 0) {
        continue;
      }
      if (grant.atMicros().isPresent()) {
        model(claim)
            .refundGrant(limit(claim), now(), claim.permits(), grant.atMicros().getAsLong());
      } else {
        model(claim).refund(limit(claim), now(), claim.permits());
      }
    }
    Question after = new Question(Operation.PEEK, receipt.claims());
    check(after.claims(), await(store.decide(after)));
    require(verdicts.each().size() == receipt.grants().size(), receipt, "answers", verdicts);
  }

  private void reset() {
    if (random.nextInt(3) == 0) {
      List<Claim> claims = claims();
      await(store.reset(claims));
      claims.forEach(claim -> models.remove(name(claim)));
    }
  }

  private void check(List<Claim> claims, Verdicts verdicts) {
    for (int i = 0; i < claims.size(); i++) {
      answers++;
      check(claims.get(i), verdicts.each().get(i));
    }
  }

  private void check(Claim claim, Verdict verdict) {
    long remaining = verdict.remaining();
    long capacity = limit(claim).capacity();
    require(remaining >= 0 && remaining <= capacity, claim, "remaining", remaining);
    require(remaining == 0 || fits(claim, now(), remaining), claim, "remain", remaining);
    require(remaining == capacity || !fits(claim, now(), remaining + 1), claim, "only", remaining);
    long retry = verdict.retryAfterMicros();
    if (!verdict.fits() && claim.permits() <= capacity) {
      require(retry > 0 && fits(claim, now() + retry, claim.permits()), claim, "wait", retry);
      require(!fits(claim, now() + retry - 1, claim.permits()), claim, "shorter than", retry);
    }
    long reset = verdict.resetAfterMicros();
    require(model(claim).fresh(limit(claim), now() + reset), claim, "fresh after", reset);
    require(
        reset == 0 || !model(claim).fresh(limit(claim), now() + reset - 1),
        claim,
        "fresh before",
        reset);
  }

  private List<Claim> claims() {
    int version = random.nextInt(2);
    List<Claim> claims = new ArrayList<>();
    for (int count = random.nextInt(3) == 0 ? random.nextInt(5) : 0; count >= 0; count--) {
      int name = random.nextInt(NAMES);
      Limit limit = versions[name][version];
      Mode mode = name == 1 ? Mode.SHADOW : Mode.ENFORCE;
      Policy policy = Policy.of("rule", "limit-" + name, limit).withMode(mode);
      claims.add(new Claim(policy, "key-" + random.nextInt(KEYS), permits(limit.capacity())));
    }
    return new Question(Operation.PEEK, claims).claims(); // merged
  }

  private long permits(long capacity) {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> capacity + 1;
      case 2 -> capacity;
      case 3, 4 -> 1 + random.nextLong(capacity);
      case 5 -> 1 + capacity / 3;
      default -> 1;
    };
  }

  private long pause() {
    long period = versions[random.nextInt(NAMES)][random.nextInt(2)].period().toNanos() / 1000;
    return switch (random.nextInt(8)) {
      case 0 -> 1;
      case 1 -> random.nextLong(1 + period);
      case 2 -> random.nextLong(1 + period / 8);
      case 3 -> Math.max(0, period - now() % period - 1 + random.nextInt(3));
      default -> 0;
    };
  }

  private boolean fits(Claim claim, long at, long permits) {
    return model(claim).fits(limit(claim), at, permits);
  }

  private StateModel model(Claim claim) {
    return models.computeIfAbsent(name(claim), name -> new StateModel());
  }

  private static String name(Claim claim) {
    return claim.policy().name() + " " + claim.key();
  }

  private static Limit limit(Claim claim) {
    return claim.policy().limit();
  }

  private void require(boolean holds, Object what, String fact, Object value) {
    if (!holds) {
      throw new AssertionError("at " + now() + " us not so: " + fact + " " + value + ", " + what);
    }
  }

  private long now() {
    return time.nowMicros();
  }

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
