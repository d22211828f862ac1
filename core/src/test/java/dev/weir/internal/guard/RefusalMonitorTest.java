package dev.weir.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** FAULTS 54: when a node that refused is said to accept again. */
final class RefusalMonitorTest {
  private static final StoreUnavailableException OOM = StoreUnavailableException.refused("OOM");
  private static final Claim CLAIM =
      Claim.of(Policy.of("r", "l", Limit.fixedWindow(10, Duration.ofDays(1))), "key");

  private final RecordingListener listener = new RecordingListener();
  private long nowNanos;
  private Runnable beforePeek = () -> {};
  private final RefusalMonitor monitor =
      new RefusalMonitor("node", store(), GuardEvents.of(listener), () -> nowNanos);

  private LimitStore store() {
    return new ForwardingLimitStore(MemoryStore.create()) {
      @Override
      public CompletionStage<Verdicts> decide(Question question) {
        beforePeek.run();
        return super.decide(question);
      }
    };
  }

  @AfterEach
  void stop() {
    monitor.stop();
  }

  @Test
  void aCallThatTookEndsARefusalAfterASecond() {
    monitor.refused(OOM, CLAIM);
    monitor.accepted();
    monitor.check(CLAIM);
    assertThat(monitor.reason()).contains("OOM");
    pass(Duration.ofSeconds(1));
    monitor.check(CLAIM);
    assertThat(monitor.reason()).isEmpty();
    listener.await("refuses", "accepts");
  }

  /** A node that is written to once in 40 s and refuses each time has not changed in between. */
  @Test
  void rareRefusalsAreReportedLessAndLessOften() {
    for (int i = 0; i < 90; i++) { // an hour
      monitor.refused(OOM, CLAIM);
      pass(Duration.ofSeconds(40));
      monitor.check(CLAIM);
    }
    listener.await("refuses", "accepts", "refuses");
    assertThat(monitor.reason()).contains("OOM");
  }

  @Test
  void afterAWhileWithoutRefusalsAPeekEndsThem() {
    monitor.refused(OOM, CLAIM);
    pass(Duration.ofSeconds(29));
    monitor.check(CLAIM);
    assertThat(monitor.reason()).contains("OOM");
    pass(Duration.ofSeconds(1));
    monitor.check(CLAIM);
    assertThat(monitor.reason()).isEmpty();
    listener.await("refuses", "accepts");
  }

  @Test
  void aRefusalAtTheLastMomentKeepsItRefusing() {
    monitor.refused(OOM, CLAIM);
    pass(Duration.ofSeconds(30));
    beforePeek = () -> monitor.refused(OOM, CLAIM);
    monitor.check(CLAIM);
    assertThat(monitor.reason()).contains("OOM");
    listener.await("refuses");
  }

  private void pass(Duration time) {
    nowNanos += time.toNanos();
  }
}
