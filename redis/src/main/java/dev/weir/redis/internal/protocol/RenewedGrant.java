package dev.weir.redis.internal.protocol;

import dev.weir.Limit;
import dev.weir.Receipt.Grant;
import dev.weir.internal.Micros;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;

/** A grant of slots in the form that renew.lua reads. */
public final class RenewedGrant {
  private static final UUID NOBODY = new UUID(0, 0);

  private RenewedGrant() {}

  /** A grant without a holder is encoded with an id that holds no slots. */
  public static byte[] encode(Grant grant) {
    long slots = Math.min(grant.claim().permits(), Limit.RequestsInFlight.MAX_SLOTS);
    return ByteBuffer.allocate(16 + 4 + 8)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(QuestionHead.bytes(grant.holder().orElse(NOBODY)))
        .putInt((int) slots)
        .putDouble(Micros.of(grant.claim().policy().limit().period()))
        .array();
  }
}
