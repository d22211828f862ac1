package dev.weir;

import dev.weir.internal.Check;
import dev.weir.internal.Claims;
import java.util.List;
import java.util.OptionalLong;

/**
 * What was taken and when: enough to give it back. Immutable.
 *
 * @param claims what to give back, at least one; claims on the same state are merged
 * @param grantedAtMicros the store's time of the grant, which makes a refund exact: what has come
 *     back since is not given twice, and a grant whose window has passed is ignored. Without it,
 *     the current window is credited, a sliding log's oldest admissions first.
 */
public record Receipt(List<Claim> claims, OptionalLong grantedAtMicros) {
  public Receipt {
    Check.notNull("grantedAtMicros", grantedAtMicros);
    claims = Claims.merged(claims);
  }

  public static Receipt granted(List<Claim> claims, long atMicros) {
    return new Receipt(claims, OptionalLong.of(atMicros));
  }

  public static Receipt undated(List<Claim> claims) {
    return new Receipt(claims, OptionalLong.empty());
  }
}
