package dev.weir;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ids by which the receipts of decisions are told apart that hold no slots. They need to differ,
 * and nothing more: unlike a holder's id, nobody gains by guessing one. So they come from a
 * generator that is quick enough for every answer of a service.
 */
final class SettlementIds {
  private SettlementIds() {}

  static UUID next() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return new UUID(random.nextLong(), random.nextLong());
  }
}
