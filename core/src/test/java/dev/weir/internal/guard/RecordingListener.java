package dev.weir.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.GuardListener;
import dev.weir.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/** Keeps what a guard has notified it of. Safe for many threads. */
public class RecordingListener implements GuardListener {
  public final List<String> events = new CopyOnWriteArrayList<>();

  @Override
  public void breakerOpened(String node, StoreUnavailableException cause) {
    events.add("opened");
  }

  @Override
  public void breakerClosed(String node) {
    events.add("closed");
  }

  @Override
  public void nodeRefuses(String node, StoreUnavailableException cause) {
    events.add("refuses");
  }

  @Override
  public void nodeAccepts(String node) {
    events.add("accepts");
  }

  @Override
  public void fallbackStarted() {
    events.add("fallback");
  }

  @Override
  public void fallbackEnded() {
    events.add("no fallback");
  }

  void await(String... expected) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(events).containsExactly(expected));
  }
}
