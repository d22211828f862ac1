package dev.weir.internal.guard;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.FailurePolicy;
import dev.weir.Lease;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.Policy;
import dev.weir.Receipt;
import dev.weir.Receipt.Grant;
import dev.weir.internal.Micros;
import dev.weir.spi.Question;
import java.time.Duration;
import java.util.List;

/**
 * The policies that a store counts for a policy with a lease, so that its limit holds at every
 * instant although permits are out: leased and not spent yet.
 *
 * <p><b>Windows.</b> The policy itself: leased permits count in their window before they are spent,
 * and end with it.
 *
 * <p><b>Token bucket</b> of capacity C and rate R. A part O of the capacity is kept for permits
 * that are out: the store has a bucket of C - O. A permit spent in an interval t was out at its
 * beginning or left the bucket in it: at most O + (C - O) + R t, if no more than O are ever out.
 *
 * <p>An instance spends a lease little by little, so half of it can end early: half of each lease
 * lives for F, the other half for T. Two logs beside the bucket count what all instances lease: at
 * most A permits in any time of length F ({@code <name>~recent}), at most B in any time of length T
 * ({@code <name>~out}). If a permits were leased in the last F and b in the last T, all of the a
 * and half of the b - a can still be out: (a + b) / 2, which is at most (A + B) / 2. So A + B is 2
 * O.
 *
 * <p>T is the lease's period, or half of the time in which the bucket fills if that is less. O is
 * 1.25 R T, and half of C at most. F is 0.55 T: half of a lease is spent by then. B is 1.25 O and A
 * is 0.75 O; even if O is only R T, both are above what refills in their time, by 25 and 36 %,
 * because instances do not lease evenly. With 1000 per second and {@code lease: 1s}: T = 500 ms, O
 * = 500, at most 625 are leased in 500 ms and 375 in 275 ms. If all of a lease lived for T, T would
 * be O / 1.25 R = 400 ms. With 100,000 per minute: T = 1 s, O = 2084.
 *
 * <p>The store knows nothing of leases: a lost answer and a killed instance need no repair.
 *
 * @param stored the policy as the store counts it
 * @param out bound the permits that are out; none if no bound is needed
 * @param earlyLifeMicros how long the first half of a lease can be spent at most
 * @param lifeMicros how long leased permits can be spent at most
 */
record LeaseTerms(Policy stored, List<Policy> out, long earlyLifeMicros, long lifeMicros) {
  private static final double LIVES_TO_FILL = 2;

  /** O as a multiple of what refills in T, if half of the capacity is not less. */
  private static final double REFILLS_OUT = 1.25;

  /** F as a part of T. */
  private static final double EARLY_LIFE = 0.55;

  /** B as a multiple of O. */
  private static final double LEASED_IN_LIFE = 1.25;

  /** A bucket whose lease would be shorter is not leased. */
  private static final long SHORTEST_LIFE_MICROS = 2_000;

  /** The terms of a policy with a lease. */
  static LeaseTerms of(Policy policy) {
    Lease lease = policy.lease().orElseThrow();
    long period = Micros.of(lease.period());
    if (policy.limit().algorithm() != Algorithm.TOKEN_BUCKET) {
      return new LeaseTerms(policy, List.of(), period, period);
    }
    Limit.TokenBucket bucket = (Limit.TokenBucket) policy.limit();
    double perMicro = bucket.permits() / (double) Micros.of(bucket.period());
    long life = (long) Math.min(period, bucket.capacity() / perMicro / LIVES_TO_FILL);
    long kept = (long) Math.min(Math.ceil(perMicro * life * REFILLS_OUT), bucket.capacity() / 2);
    if (life < SHORTEST_LIFE_MICROS || kept < 1) {
      return new LeaseTerms(policy, List.of(), 0, 0);
    }
    long earlyLife = (long) (life * EARLY_LIFE);
    Limit stored = bucket.withBurst(bucket.capacity() - kept);
    return new LeaseTerms(
        withLimit(policy, stored), out(policy, kept, earlyLife, life), earlyLife, life);
  }

  private static List<Policy> out(Policy policy, long kept, long earlyLife, long life) {
    long inLife = (long) (kept * LEASED_IN_LIFE);
    long inEarlyLife = 2 * kept - inLife;
    return List.of(
        log(policy, "~out", inLife, life), log(policy, "~recent", inEarlyLife, earlyLife));
  }

  private static Policy log(Policy policy, String suffix, long permits, long micros) {
    Limit limit = Limit.slidingLog(permits, Duration.ofNanos(micros * 1000));
    String name = policy.name() + suffix;
    return new Policy(policy.rule(), name, limit, Mode.ENFORCE, FailurePolicy.ALLOW);
  }

  private static Policy withLimit(Policy policy, Limit limit) {
    return new Policy(
        policy.rule(),
        policy.name(),
        limit,
        policy.mode(),
        policy.onStoreFailure(),
        policy.lease(),
        policy.split());
  }

  /** Whether this many permits can be leased at once. */
  boolean canLease(long permits) {
    return lifeMicros > 0
        && permits <= stored.limit().capacity()
        && out.stream().allMatch(each -> permits <= each.limit().capacity());
  }

  Claim stored(Claim claim) {
    return new Claim(stored, claim.key(), claim.permits());
  }

  /** The claims as the store counts them. */
  static List<Claim> stored(List<Claim> claims) {
    return areAny(claims) ? claims.stream().map(LeaseTerms::storedClaim).toList() : claims;
  }

  static Question stored(Question question) {
    return areAny(question.claims()) ? question.about(stored(question.claims())) : question;
  }

  static Receipt stored(Receipt receipt) {
    return areAny(receipt.claims())
        ? new Receipt(
            receipt.grants().stream()
                .map(
                    grant ->
                        new Grant(storedClaim(grant.claim()), grant.atMicros(), grant.holder()))
                .toList())
        : receipt;
  }

  private static Claim storedClaim(Claim claim) {
    return differs(claim) ? of(claim.policy()).stored(claim) : claim;
  }

  private static boolean areAny(List<Claim> claims) {
    for (int i = 0; i < claims.size(); i++) {
      if (differs(claims.get(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean differs(Claim claim) {
    return claim.policy().lease().isPresent()
        && claim.policy().limit().algorithm() == Algorithm.TOKEN_BUCKET;
  }
}
