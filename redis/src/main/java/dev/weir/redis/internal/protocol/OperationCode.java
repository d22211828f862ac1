package dev.weir.redis.internal.protocol;

import dev.weir.spi.Operation;

/** The operations of the script; the order defines their codes. */
public enum OperationCode {
  ACQUIRE,
  PEEK,
  CHARGE,
  REFUND,
  REFUND_UNDATED;

  public static OperationCode of(Operation operation) {
    return switch (operation) {
      case ACQUIRE -> ACQUIRE;
      case PEEK -> PEEK;
      case CHARGE -> CHARGE;
    };
  }

  /** Whether permits above the capacity cannot pass. */
  boolean isBounded() {
    return this == ACQUIRE || this == PEEK;
  }

  byte code() {
    return (byte) ordinal();
  }
}
