package dev.weir.cli.demo;

import dev.weir.Limit;
import dev.weir.cli.console.AnsiStyle;
import dev.weir.cli.console.Screen;
import dev.weir.cli.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The second scene: the same traffic for all four algorithms, as growing columns. */
final class ComparisonScene {
  /** Requests in each tenth of a second; the limits admit ten per second, so 1 is the rate. */
  private static final String TRAFFIC =
      "0000000444" + "4440001010" + "1111111111" + "3333333333" + "0000000000" + "2222222222";

  private static final long PERMITS = 10;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long TICK_MICROS = 100_000;
  private static final Duration PACE = Duration.ofMillis(100);

  private final Screen screen;
  private final AnsiStyle style;
  private final DemoSymbols symbols;
  private final VirtualTime time = new VirtualTime();

  ComparisonScene(Screen screen, AnsiStyle style) {
    this.screen = screen;
    this.style = style;
    this.symbols = new DemoSymbols(style);
  }

  void play() throws InterruptedException {
    screen.line("");
    screen.line(style.strong("2  The same traffic, four algorithms, each 10 per second"));
    screen.line("   A block is a request, a column a tenth of a second of a virtual clock.");
    screen.line("   " + symbols.legend());
    screen.line("");
    List<ObservedLimiter> lanes = lanes();
    for (int tick = 0; tick < TRAFFIC.length(); tick++) {
      offer(lanes, tick);
      screen.draw(picture(lanes));
      screen.pause(PACE);
    }
    screen.keep();
    lanes.forEach(ObservedLimiter::close);
  }

  private List<ObservedLimiter> lanes() {
    return List.of(
        new ObservedLimiter(Limit.tokenBucket(PERMITS, SECOND), time),
        new ObservedLimiter(Limit.fixedWindow(PERMITS, SECOND), time),
        new ObservedLimiter(Limit.slidingWindow(PERMITS, SECOND), time),
        new ObservedLimiter(Limit.slidingLog(PERMITS, SECOND), time));
  }

  /** The requests of one tick, evenly spread over it. */
  private void offer(List<ObservedLimiter> lanes, int tick) {
    int requests = Character.getNumericValue(TRAFFIC.charAt(tick));
    for (int i = 0; i < requests; i++) {
      time.moveTo(tick * TICK_MICROS + i * TICK_MICROS / requests);
      lanes.forEach(ObservedLimiter::offer);
    }
  }

  private List<String> picture(List<ObservedLimiter> lanes) {
    List<String> lines = new ArrayList<>();
    ColumnChart columns = new ColumnChart(symbols, TICK_MICROS, TRAFFIC.length());
    for (ObservedLimiter lane : lanes) {
      lines.addAll(columns.draw(lane, facts(lane)));
      lines.add("");
    }
    lines.set(lines.size() - 1, columns.axis());
    lines.add(columns.axisLabels());
    return lines;
  }

  /** What stands beside the columns, from the top. */
  private List<String> facts(ObservedLimiter lane) {
    return List.of(
        style.strong(String.format(Locale.ROOT, "%-14s", lane.name())),
        String.format(Locale.ROOT, "admitted    %2d", lane.admitted()),
        String.format(Locale.ROOT, "denied      %2d", lane.denied()),
        "most in 1 s " + symbols.count(2, lane.mostWithin(SECOND), PERMITS));
  }
}
