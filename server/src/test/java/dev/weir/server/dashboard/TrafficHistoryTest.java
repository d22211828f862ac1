package dev.weir.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** An hour by the second and a day by the minute, in rings of fixed size. */
final class TrafficHistoryTest {
  private static final long START = 1_800_000_000L; // a whole minute

  private final TrafficHistory history = new TrafficHistory(START);

  @Test
  void nothingIsShownBeforeTheFirstSecondEnds() {
    assertThat(history.secondsAfter(0).counts()[0]).isEmpty();
    assertThat(history.minutes().counts()[0]).isEmpty();
    assertThat(history.rates(5)).containsOnly(0);
  }

  @Test
  void aReaderGetsTheSecondsAfterTheLastItHas() {
    for (int i = 1; i <= 4; i++) {
      add(START + i, i);
    }
    TrafficHistory.Slots slots = history.secondsAfter(START + 2);
    assertThat(slots.first()).isEqualTo(START + 3);
    assertThat(slots.counts()[TrafficKind.ALLOWED.ordinal()]).containsExactly(3, 4);
    assertThat(history.rates(2)[TrafficKind.ALLOWED.ordinal()]).isEqualTo(3.5);
  }

  @Test
  void whatALateCallBringsIsSpreadOverTheSecondsItMissedAndNothingIsLost() {
    add(START + 3, 10);
    assertThat(history.secondsAfter(0).counts()[0]).containsExactly(3, 3, 4);
  }

  @Test
  void anHourOfSecondsAndADayOfMinutesAreKept() {
    for (int i = 1; i <= 2 * 24 * 3600; i++) {
      add(START + i, 1);
    }
    TrafficHistory.Slots seconds = history.secondsAfter(0);
    assertThat(seconds.counts()[0]).hasSize(3600).containsOnly(1);
    assertThat(seconds.first()).isEqualTo(START + 2 * 24 * 3600 - 3599);
    TrafficHistory.Slots minutes = history.minutes();
    assertThat(minutes.counts()[0]).hasSize(1440).containsOnly(60);
  }

  @Test
  void aClockThatIsSetBackOrFarAheadEndsNothing() {
    add(START + 1, 5);
    add(START - 100, 5);
    add(START + 1_000_000, 5);
    add(START + 1_000_001, 7);
    assertThat(history.rates(1)[0]).isEqualTo(7);
  }

  private void add(long second, long allowed) {
    history.add(second, new long[] {allowed, 0, 0, 0});
  }
}
