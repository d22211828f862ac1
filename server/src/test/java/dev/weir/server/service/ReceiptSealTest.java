package dev.weir.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.Receipt;
import dev.weir.Receipt.Grant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Instances over one store accept each other's receipts, and nobody else's. */
final class ReceiptSealTest {
  private static final UUID HOLDER = UUID.randomUUID();
  private static final String RECEIPT = receipt("rule", "limit", "key", 5, 1000, HOLDER);

  private final OneText text = new OneText();

  private static String receipt(
      String rule, String limit, String key, long permits, long atMicros, UUID holder) {
    Policy policy = Policy.of(rule, limit, Limit.parse("10 per hour"));
    Claim claim = new Claim(policy, key, permits);
    Grant grant = new Grant(claim, OptionalLong.of(atMicros), Optional.of(holder));
    return ReceiptText.sealed(new Receipt(List.of(grant)));
  }

  private ReceiptSeal start() {
    return ReceiptSeal.start(Optional.of(text));
  }

  @Test
  void everyPartOfAReceiptIsSealed() {
    try (ReceiptSeal seal = ReceiptSeal.start(Optional.empty())) {
      String sealed = seal.of(RECEIPT);
      assertThat(seal.isOf(RECEIPT, sealed)).isTrue();
      List.of(
              receipt("other", "limit", "key", 5, 1000, HOLDER),
              receipt("rule", "other", "key", 5, 1000, HOLDER),
              receipt("rule", "limit", "other", 5, 1000, HOLDER),
              receipt("rule", "limit", "key", 6, 1000, HOLDER),
              receipt("rule", "limit", "key", 5, 1001, HOLDER),
              receipt("rule", "limit", "key", 5, 1000, UUID.randomUUID()),
              receipt("rulel", "imit", "key", 5, 1000, HOLDER))
          .forEach(changed -> assertThat(seal.isOf(changed, sealed)).isFalse());
      assertThat(seal.isOf(RECEIPT, "")).isFalse();
    }
  }

  @Test
  void instancesOverOneStoreShareTheSecretAndOthersDoNot() {
    try (ReceiptSeal one = start();
        ReceiptSeal other = start();
        ReceiptSeal stranger = ReceiptSeal.start(Optional.empty())) {
      assertThat(other.isOf(RECEIPT, one.of(RECEIPT))).isTrue();
      assertThat(other.of(RECEIPT)).isEqualTo(one.of(RECEIPT));
      assertThat(stranger.isOf(RECEIPT, one.of(RECEIPT))).isFalse();
    }
  }

  @Test
  void aSecretThatTheStoreHasLostIsWrittenAnew() {
    try (ReceiptSeal one = start()) {
      String before = one.of(RECEIPT);
      text.value = Optional.empty();
      one.synchronise();
      try (ReceiptSeal other = start()) {
        assertThat(other.of(RECEIPT)).isEqualTo(before);
      }
    }
  }

  @Test
  void anInstanceThatStartedWithoutTheStoreAdoptsTheSecretOfTheOthers() {
    try (ReceiptSeal one = start()) {
      text.isDown = true;
      try (ReceiptSeal late = start()) {
        String early = late.of(RECEIPT);
        text.isDown = false;
        late.synchronise();
        assertThat(late.of(RECEIPT)).isEqualTo(one.of(RECEIPT)).isNotEqualTo(early);
        assertThat(late.isOf(RECEIPT, early)).as("what it has sealed before").isTrue();
      }
    }
  }
}
