package dev.weir.cli.demo;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import dev.weir.cli.console.AnsiStyle;
import dev.weir.cli.console.Screen;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** The first scene: one small bucket is emptied, denies, and fills again. */
final class TokenBucketScene {
  private static final int CAPACITY = 3;
  private static final Limit LIMIT =
      Limit.tokenBucket(1, Duration.ofSeconds(2)).withBurst(CAPACITY);
  private static final Duration BETWEEN_REQUESTS = Duration.ofMillis(300);
  private static final Duration STEP = Duration.ofMillis(40);
  private static final int BAR_WIDTH = 30;

  private final Screen screen;
  private final AnsiStyle style;
  private final TimeSource time;
  private final String clock;
  private long startMicros;

  TokenBucketScene(Screen screen, AnsiStyle style, TimeSource time, String clock) {
    this.screen = screen;
    this.style = style;
    this.time = time;
    this.clock = clock;
  }

  void play() throws InterruptedException {
    screen.line("");
    screen.line(style.strong("1  Allow, deny, wait, allow again"));
    screen.line(
        "   A token bucket: 3 permits, and one back every 2 seconds of a " + clock + " clock.");
    screen.line(style.faint("   Limit.tokenBucket(1, Duration.ofSeconds(2)).withBurst(3)"));
    screen.line("");
    try (RateLimiter limiter = RateLimiter.builder().limit("demo", LIMIT).time(time).build()) {
      row("alice", answer(limiter.peek("alice"), "")); // loads classes: the first line is slow
      startMicros = time.nowMicros();
      Decision denied = useUp(limiter);
      show("bob", limiter.decide("bob"), "another key, its own bucket");
      await(denied.retryAfter());
      show("alice", limiter.decide("alice"), "");
      acquire(limiter);
    }
  }

  /** Makes requests until the bucket is empty; returns the first denial. */
  private Decision useUp(RateLimiter limiter) {
    while (true) {
      Decision decision = limiter.decide("alice");
      if (!decision.allowed()) {
        show("alice", decision, "retry after " + seconds(decision.retryAfter()));
        return decision;
      }
      show("alice", decision, "");
      pass(BETWEEN_REQUESTS);
    }
  }

  /** Lets the limiter wait by itself. */
  private void acquire(RateLimiter limiter) throws InterruptedException {
    Duration atMost = Duration.ofSeconds(5);
    screen.draw(List.of(row("alice", style.faint("acquire() waits by itself, at most 5 s ..."))));
    long before = time.nowMicros();
    Decision decision = limiter.acquire("alice", 1, atMost);
    Duration waited = Duration.ofNanos((time.nowMicros() - before) * 1000);
    screen.draw(List.of(row("alice", answer(decision, "acquire() waited " + seconds(waited)))));
    screen.keep();
  }

  private void await(Duration wait) {
    long fromMicros = time.nowMicros();
    long toMicros = fromMicros + wait.toNanos() / 1000;
    while (time.nowMicros() < toMicros) {
      screen.draw(List.of(waiting(wait, time.nowMicros() - fromMicros)));
      Duration left = Duration.ofNanos((toMicros - time.nowMicros()) * 1000);
      pass(left.compareTo(STEP) < 0 ? left : STEP);
    }
    screen.draw(List.of(waiting(wait, wait.toNanos() / 1000)));
    screen.keep();
  }

  private String waiting(Duration wait, long doneMicros) {
    int done = (int) (BAR_WIDTH * doneMicros * 1000 / wait.toNanos());
    String bar = "━".repeat(done) + style.faint("─".repeat(BAR_WIDTH - done));
    return " ".repeat(22) + bar + "  waiting " + seconds(wait);
  }

  private void pass(Duration wait) {
    time.after(wait).toCompletableFuture().join();
  }

  private void show(String key, Decision decision, String note) {
    screen.line(row(key, answer(decision, note)));
  }

  private String row(String key, String text) {
    Duration since = Duration.ofNanos((time.nowMicros() - startMicros) * 1000);
    return String.format(Locale.ROOT, "   %8s   %-6s  %s", seconds(since), key, text);
  }

  private String answer(Decision decision, String note) {
    int remaining = (int) decision.remaining();
    String permits = "●".repeat(remaining) + style.faint("○".repeat(CAPACITY - remaining));
    String verdict = new DemoSymbols(style).verdict(decision) + (decision.allowed() ? "" : " ");
    String gap = note.isEmpty() ? "" : "   ";
    return verdict + "   remaining " + remaining + "  " + permits + gap + note;
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.3f s", duration.toNanos() / 1e9);
  }
}
