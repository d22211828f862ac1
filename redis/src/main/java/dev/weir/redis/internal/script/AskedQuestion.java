package dev.weir.redis.internal.script;

import dev.weir.Claim;
import dev.weir.redis.internal.protocol.OperationCode;
import dev.weir.redis.internal.protocol.QuestionHead;
import java.util.List;

/**
 * The question of one caller.
 *
 * @param slot the hash slot of all its keys; 0 if the server has none
 */
record AskedQuestion(OperationCode operation, List<Claim> claims, QuestionHead head, int slot) {

  /** By the first key alone: equal questions are looked up for every request. */
  @Override
  public int hashCode() {
    return 31 * claims.get(0).key().hashCode() + claims.size();
  }

  /** Whether permits are taken if it is allowed, so that the server has to write. */
  boolean takesPermits() {
    if (operation != OperationCode.ACQUIRE && operation != OperationCode.CHARGE) {
      return false;
    }
    for (Claim claim : claims) {
      if (claim.permits() > 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether it can be merged with equal questions. Questions with holders are never equal. */
  boolean canBeMerged() {
    return (operation == OperationCode.ACQUIRE || operation == OperationCode.PEEK)
        && head.holder().isEmpty();
  }
}
