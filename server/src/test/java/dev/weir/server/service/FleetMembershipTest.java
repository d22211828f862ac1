package dev.weir.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How instances know each other by name. */
final class FleetMembershipTest {
  private final AtomicLong nanos = new AtomicLong();
  private final OneText text = new OneText();
  private final FleetMembership first = named("first");
  private final FleetMembership second = named("second");

  @Test
  void instancesKnowTheOthersAndNotThemselves() {
    first.beat();
    second.beat();
    first.beat();
    assertThat(first.others()).containsExactly("second");
    assertThat(second.others()).containsExactly("first");
  }

  @Test
  void oneThatDiedVanishesAndOneThatEndsVanishesAtOnce() {
    FleetMembership third = named("third");
    first.beat();
    second.beat();
    third.beat();
    first.beat();
    assertThat(first.others()).containsExactly("second", "third");
    third.close();
    first.beat();
    assertThat(first.others()).containsExactly("second");
    nanos.addAndGet(Duration.ofSeconds(19).toNanos());
    first.beat();
    assertThat(first.others()).containsExactly("second");
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    first.beat();
    assertThat(first.others()).isEmpty();
    assertThat(text.value.orElseThrow()).doesNotContain("second");
  }

  @Test
  void anInstanceThatHasEndedDoesNotComeBack() {
    first.beat();
    first.close();
    first.beat();
    assertThat(text.value).isEmpty();
  }

  @Test
  void whatRedisHasLostIsWrittenAnew() {
    first.beat();
    second.beat();
    text.value = Optional.empty();
    second.beat();
    first.beat();
    assertThat(first.others()).containsExactly("second");
  }

  @Test
  void namesAreBoundedInNumberAndLength() {
    for (int i = 0; i < 150; i++) {
      named("x".repeat(1000) + i).beat();
    }
    first.beat();
    assertThat(first.others()).hasSize(99).allMatch(name -> name.length() == 100);
    assertThat(text.value.orElseThrow().length()).isLessThan(20_000);
  }

  @Test
  void foreignLinesAreLeftOut() {
    text.value = Optional.of("nonsense\n\na b c\nid 99999999999999999999 x\nid 7 other one");
    first.beat();
    assertThat(first.others()).containsExactly("other one");
  }

  @Test
  void withoutRedisNobodyIsKnown() {
    first.beat();
    second.beat();
    text.isDown = true;
    second.beat();
    assertThat(second.others()).isEmpty();
  }

  private FleetMembership named(String name) {
    return new FleetMembership(name, Optional.of(text), nanos::get);
  }
}
