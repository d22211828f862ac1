package dev.weir.server.service;

import dev.weir.Claim;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Blocks keys for administrators, and unblocks them: the one rule behind the calls of the API and
 * of the dashboard. Safe for many threads.
 */
public final class KeyBlocks {
  /** The member of an answer that says whether the other instances learn of a change, too. */
  public static final String EVERYWHERE = "everywhere";

  /** Ten years; a longer block is one without end. */
  static final long MAX_SECONDS = 10L * 366 * 24 * 3600;

  private final LimitService service;
  private final SharedAdminOverrides overrides;
  private final TopDeniedKeys denied;

  public KeyBlocks(LimitService service, SharedAdminOverrides overrides, TopDeniedKeys denied) {
    this.service = service;
    this.overrides = overrides;
    this.denied = denied;
  }

  /**
   * Blocks here at once, and on the other instances.
   *
   * @param seconds from 1 to ten years; empty for a block without end
   * @return see {@link SharedAdminOverrides#change}
   * @throws InvalidRequestException if the seconds are out of range, or there are too many blocks
   */
  public CompletionStage<Boolean> block(List<Claim> claims, Optional<Long> seconds) {
    long until = seconds.map(KeyBlocks::after).orElse(BlockedKeys.FOREVER);
    return overrides.change(AdminChange.block(claims, until));
  }

  private static long after(long seconds) {
    if (seconds < 1 || seconds > MAX_SECONDS) {
      throw new InvalidRequestException(
          "seconds must be between 1 and " + MAX_SECONDS + ", was " + seconds);
    }
    return System.currentTimeMillis() + seconds * 1000;
  }

  /**
   * Ends blocks and penalties, here at once, and on the other instances.
   *
   * @return see {@link SharedAdminOverrides#change}; fails if the store cannot lift the penalties
   */
  public CompletionStage<Boolean> unblock(List<Claim> claims) {
    CompletionStage<Boolean> published = overrides.change(AdminChange.unblock(claims));
    denied.lifted(claims);
    return service.liftPenalties(claims).thenCombine(published, (lifted, everywhere) -> everywhere);
  }
}
