package dev.weir.redis.internal.script;

import dev.weir.Claim;
import dev.weir.redis.internal.protocol.OperationCode;
import dev.weir.redis.internal.protocol.QuestionHead;
import java.util.List;

/** The question of one caller; all its keys are in one hash slot. */
record AskedQuestion(OperationCode operation, List<Claim> claims, QuestionHead head) {

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
