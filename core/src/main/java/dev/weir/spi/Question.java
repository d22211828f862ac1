package dev.weir.spi;

import dev.weir.Claim;
import dev.weir.internal.Check;
import dev.weir.internal.Claims;
import java.util.List;

/**
 * What a store is asked in one atomic step. Immutable.
 *
 * @param claims at least one; no two draw on the same state, because such claims are merged
 */
public record Question(Operation operation, List<Claim> claims) {
  public Question {
    Check.notNull("operation", operation);
    claims = Claims.merged(claims);
  }
}
