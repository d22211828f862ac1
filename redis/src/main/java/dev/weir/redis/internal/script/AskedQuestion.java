package dev.weir.redis.internal.script;

import dev.weir.Claim;
import dev.weir.redis.internal.protocol.OperationCode;
import dev.weir.redis.internal.protocol.QuestionHead;
import java.util.List;

/** What one caller asks; all keys are in one hash slot. */
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

  /** Whether equal questions can be answered as one; those with holders differ from each other. */
  boolean canBeMerged() {
    return (operation == OperationCode.ACQUIRE || operation == OperationCode.PEEK)
        && head.holder().isEmpty();
  }
}
