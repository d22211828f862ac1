package dev.weir.cli.demo;

import dev.weir.Limit;
import dev.weir.cli.console.AnsiStyle;
import dev.weir.cli.console.Screen;
import dev.weir.cli.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** The third scene: what a fixed window lets through around its edge, and a log does not. */
final class WindowEdgeScene {
  private static final long PERMITS = 10;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long EDGE_MICROS = 1_000_000;
  private static final long FIRST_MICROS = EDGE_MICROS - 100_000;
  private static final long GAP_MICROS = 10_000;
  private static final Duration BOTH_BURSTS = Duration.ofMillis(200);
  private static final int REQUESTS = 20;
  private static final Duration PACE = Duration.ofMillis(120);

  private final Screen screen;
  private final AnsiStyle style;
  private final DemoSymbols symbols;
  private final VirtualTime time = new VirtualTime();

  WindowEdgeScene(Screen screen, AnsiStyle style) {
    this.screen = screen;
    this.style = style;
    this.symbols = new DemoSymbols(style);
  }

  void play() throws InterruptedException {
    screen.line("");
    screen.line(style.strong("3  Two bursts around the edge of a window, 10 per second"));
    screen.line("   10 requests just before the full second, 10 just after it.");
    screen.line("   " + symbols.legend());
    screen.line("");
    try (ObservedLimiter fixed = new ObservedLimiter(Limit.fixedWindow(PERMITS, SECOND), time);
        ObservedLimiter log = new ObservedLimiter(Limit.slidingLog(PERMITS, SECOND), time)) {
      offerAll(fixed, log);
      screen.line("");
      summarize(fixed);
      summarize(log);
      screen.line("");
      proveRetryAfter(log);
    }
  }

  private void offerAll(ObservedLimiter fixed, ObservedLimiter log) throws InterruptedException {
    TimelineChart timeLine = new TimelineChart(symbols, EDGE_MICROS, GAP_MICROS / 2);
    for (int i = 0; i < REQUESTS; i++) {
      time.moveTo(FIRST_MICROS + i * GAP_MICROS);
      fixed.offer();
      log.offer();
      screen.draw(timeLine.draw(List.of(fixed, log)));
      screen.pause(PACE);
    }
    screen.keep();
  }

  private void summarize(ObservedLimiter lane) {
    String admitted = symbols.count(2, lane.mostWithin(BOTH_BURSTS), PERMITS);
    String line = "   %-12s  admitted %s within %d ms";
    screen.line(String.format(Locale.ROOT, line, lane.name(), admitted, BOTH_BURSTS.toMillis()));
  }

  /** Shows that the log's retry time is exact: a microsecond less is too early. */
  private void proveRetryAfter(ObservedLimiter log) {
    Duration retryAfter = log.peek().retryAfter();
    long promisedMicros = time.nowMicros() + retryAfter.toNanos() / 1000;
    screen.line("   At " + now() + " the log says: retry after " + seconds(retryAfter) + ".");
    time.moveTo(promisedMicros - 1);
    screen.line("   At " + now() + " it answers: " + symbols.verdict(log.offer()) + ",");
    time.moveTo(promisedMicros);
    screen.line("   at " + now() + ", a microsecond later: " + symbols.verdict(log.offer()) + ".");
  }

  private String now() {
    return seconds(Duration.ofNanos(time.nowMicros() * 1000));
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.6f s", duration.toNanos() / 1e9);
  }
}
