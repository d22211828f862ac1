package dev.weir;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ids for receipts of decisions that hold no slots. They only have to be unique: guessing one gains
 * nothing, unlike guessing the id of a holder. So they come from a generator that is fast enough
 * for every answer of a service.
 */
final class SettlementIds {
  private SettlementIds() {}

  static UUID next() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return new UUID(random.nextLong(), random.nextLong());
  }
}
