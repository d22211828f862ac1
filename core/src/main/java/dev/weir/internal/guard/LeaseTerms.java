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
import org.jspecify.annotations.Nullable;

/**
 * The policies that a store counts for a policy with a lease, so that its limit holds at every
 * instant although permits are out: leased and not spent yet.
 *
 * <p><b>Windows.</b> The policy itself: leased permits count in their window before they are spent,
 * and end with it.
 *
 * <p><b>Token bucket</b> of capacity C and rate R. A part O of the capacity is kept for permits
 * that are out: the store has a bucket of C - O. Permits are leased for a life T, and at most O of
 * them in any time of length T, which a log beside the bucket counts ({@code <name>~out}). At any
 * instant, permits that can still be spent were leased within T: at most O are out. A permit spent
 * in an interval t was out at its beginning or left the bucket in it: at most O + (C - O) + R t. To
 * lease all that refills, O is 1.25 R T. T is the lease's period, or 0.4 of the time in which the
 * bucket fills if that is less, so that O is at most half of C. With 1000 per second and {@code
 * lease: 1s}: T = 400 ms, O = 500. With 100,000 per minute: T = 1 s, O = 2084.
 *
 * <p>The store knows nothing of leases: a lost answer and a killed instance need no repair.
 *
 * @param stored the policy as the store counts it
 * @param out bounds the permits that are out; null if no bound is needed
 * @param lifeMicros how long leased permits can be spent at most
 */
record LeaseTerms(Policy stored, @Nullable Policy out, long lifeMicros) {
  private static final double LIVES_TO_FILL = 2.5;

  /** O as a multiple of what refills in T; above 1, because instances do not ask evenly. */
  private static final double REFILLS_OUT = 1.25;

  /** A bucket whose lease would be shorter is not leased. */
  private static final long SHORTEST_LIFE_MICROS = 2_000;

  /** The terms of a policy with a lease. */
  static LeaseTerms of(Policy policy) {
    Lease lease = policy.lease().orElseThrow();
    long period = Micros.of(lease.period());
    if (policy.limit().algorithm() != Algorithm.TOKEN_BUCKET) {
      return new LeaseTerms(policy, null, period);
    }
    Limit.TokenBucket bucket = (Limit.TokenBucket) policy.limit();
    double perMicro = bucket.permits() / (double) Micros.of(bucket.period());
    long life = (long) Math.min(period, bucket.capacity() / perMicro / LIVES_TO_FILL);
    long most = (long) Math.ceil(perMicro * life * REFILLS_OUT);
    long capacity = bucket.capacity() - most;
    if (life < SHORTEST_LIFE_MICROS || capacity < 1) {
      return new LeaseTerms(policy, null, 0);
    }
    Limit leased = Limit.slidingLog(most, Duration.ofNanos(life * 1000));
    Policy out =
        new Policy(
            policy.rule(), policy.name() + "~out", leased, Mode.ENFORCE, FailurePolicy.ALLOW);
    return new LeaseTerms(withLimit(policy, bucket.withBurst(capacity)), out, life);
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
        && (out == null || permits <= out.limit().capacity());
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
