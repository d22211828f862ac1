package dev.weir.redis.internal.script;

import dev.weir.Claim;
import dev.weir.redis.internal.protocol.OperationCode;
import java.util.List;
import java.util.OptionalLong;

/**
 * What one caller asks; all keys are in one slot.
 *
 * @param grantedAt when what is to be refunded was granted
 */
record AskedQuestion(OperationCode operation, List<Claim> claims, OptionalLong grantedAt) {

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

  /** Whether equal questions can be answered as one. */
  boolean canBeMerged() {
    return operation == OperationCode.ACQUIRE || operation == OperationCode.PEEK;
  }
}
