package dev.weir.spi;

import dev.weir.Claim;
import dev.weir.RequestId;
import dev.weir.internal.Check;
import dev.weir.internal.Claims;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What a store is asked in one atomic step. Immutable.
 *
 * @param claims at least one; no two draw on the same state, because such claims are merged
 * @param holder who holds the slots that an acquisition takes where requests in flight are limited:
 *     a random id, used for this question alone. Without one they cannot be released
 * @param requestId if the same question was asked with it before, the store repeats its answer
 */
public record Question(
    Operation operation, List<Claim> claims, Optional<UUID> holder, Optional<RequestId> requestId) {
  public Question {
    Check.notNull("operation", operation);
    claims = Claims.merged(claims);
    Check.notNull("holder", holder);
    Check.notNull("requestId", requestId);
    if (requestId.isPresent() && (holder.isEmpty() || operation == Operation.PEEK)) {
      throw new IllegalArgumentException(
          "a question with a request id must have a holder and take permits, was " + operation);
    }
  }

  /** A question that holds no slots and is not repeated. */
  public Question(Operation operation, List<Claim> claims) {
    this(operation, claims, Optional.empty(), Optional.empty());
  }

  /** The same question about some of its claims. */
  public Question about(List<Claim> some) {
    return new Question(operation, some, holder, requestId);
  }
}
