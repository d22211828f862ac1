package dev.weir.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class UnfinishedRequestQueueTest {
  private final UnfinishedRequestQueue requests = new UnfinishedRequestQueue();
  private final Request first = add(10, true);
  private final Request second = add(20, true);
  private final Request third = add(30, true);

  @Test
  void oneInTheMiddleCanBeRemovedTwice() {
    requests.remove(second);
    requests.remove(second);
    assertThat(requests.drop(() -> true)).containsExactly(first, third);
    assertThat(requests.drop(() -> true)).isEmpty();
  }

  @Test
  void theFirstAndTheLastCanBeRemovedAndOthersAdded() {
    requests.remove(first);
    requests.remove(third);
    Request fourth = add(40, true);
    requests.remove(second);
    Request fifth = add(50, true);
    assertThat(requests.drop(() -> true)).containsExactly(fourth, fifth);
  }

  @Test
  void theOldestAreDroppedWhileThereIsNeed() {
    assertThat(requests.drop(() -> !second.dropped)).containsExactly(first, second);
    assertThat(third.dropped).isFalse();
    assertThat(requests.drop(() -> false)).isEmpty();
    assertThat(requests.drop(() -> true)).containsExactly(third);
  }

  @Test
  void oneThatMustNotBeDroppedStaysAndTheNextOnesGo() {
    UnfinishedRequestQueue some = new UnfinishedRequestQueue();
    Request kept = new Request(1, false);
    Request gone = new Request(2, true);
    some.add(kept);
    some.add(gone);
    assertThat(some.drop(() -> true)).containsExactly(gone);
    assertThat(some.removeBefore(100)).containsExactly(kept);
  }

  @Test
  void thoseThatBeganBeforeATimeAreRemoved() {
    assertThat(requests.removeBefore(10)).isEmpty();
    assertThat(requests.removeBefore(30)).containsExactly(first, second);
    assertThat(requests.removeBefore(31)).containsExactly(third);
    assertThat(requests.removeBefore(Long.MAX_VALUE)).isEmpty();
  }

  private Request add(long beganNanos, boolean canBeDropped) {
    Request request = new Request(beganNanos, canBeDropped);
    requests.add(request);
    return request;
  }

  private static final class Request extends UnfinishedRequest {
    private final boolean canBeDropped;
    private boolean dropped;

    Request(long beganNanos, boolean canBeDropped) {
      super(beganNanos);
      this.canBeDropped = canBeDropped;
    }

    @Override
    void endLate(long mostMillis) {}

    @Override
    boolean drop() {
      dropped = canBeDropped;
      return canBeDropped;
    }

    @Override
    void giveUp() {}
  }
}
