package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.Policy;
import dev.weir.RequestId;
import dev.weir.internal.arithmetic.SplitLimit;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The parts of a split key, as claims of their own: {@code user-7~0}, {@code user-7~1} and so on.
 *
 * <p>The part that decides follows from the holder of the question. A receipt carries the holder,
 * so what was taken is given back to the part it was taken from, by any instance. Pure functions.
 */
public final class KeyPart {
  private static final char BEFORE_PART = '~';
  private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

  private KeyPart() {}

  static boolean isSplit(Claim claim) {
    return claim.policy().split() > 1;
  }

  /** The holder that chooses the parts. A request with an id gets the same parts each time. */
  public static UUID holder(UUID random, Optional<RequestId> id) {
    return id.isEmpty()
        ? random
        : new UUID(
            random.getMostSignificantBits(), mixed(id.get().text().hashCode() * GOLDEN_RATIO));
  }

  /** Which part decides for that holder; a random one if there is no holder. */
  static int chosen(Claim claim, Optional<UUID> holder) {
    long bits =
        holder.isPresent()
            ? holder.get().getLeastSignificantBits()
            : ThreadLocalRandom.current().nextLong();
    long name = claim.policy().name().hashCode() * GOLDEN_RATIO; // limits choose independently
    return (int) Math.floorMod(mixed(bits ^ name), (long) claim.policy().split());
  }

  /** A claim on one part. Every key of the policy ends in its part, so names never collide. */
  static Claim claim(Claim whole, int part, long permits) {
    Policy policy = whole.policy();
    Policy share =
        new Policy(
            policy.rule(),
            policy.name(),
            SplitLimit.part(policy.limit(), part, policy.split()),
            policy.mode(),
            policy.onStoreFailure());
    return new Claim(share, whole.key() + BEFORE_PART + part, permits);
  }

  private static long mixed(long bits) {
    long mixed = (bits ^ bits >>> 32) * 0xD6E8FEB86659FD93L;
    mixed = (mixed ^ mixed >>> 32) * 0xD6E8FEB86659FD93L;
    return mixed ^ mixed >>> 32;
  }
}
