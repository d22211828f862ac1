package dev.weir.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ProgressLineTest {
  private final AtomicLong nanoTime = new AtomicLong();
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @Test
  void aTerminalShowsTheTimeLeft() {
    ProgressLine progress = progress(true);
    progress.next("round 1 of 3", "Guava");
    nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(45));
    progress.next("round 1 of 3", "Bucket4j");
    assertThat(written).asString().endsWith("2/3  round 1 of 3: Bucket4j, 1:30 left");
  }

  @Test
  void aPipeShowsNothing() {
    ProgressLine progress = progress(false);
    progress.next("round 1 of 3", "Guava");
    progress.end();
    assertThat(written).asString().isEmpty();
  }

  private ProgressLine progress(boolean visible) {
    return new ProgressLine(new PrintStream(written), visible, 3, nanoTime::get);
  }
}
