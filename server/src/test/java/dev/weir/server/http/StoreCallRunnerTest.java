package dev.weir.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.RunningService;
import dev.weir.server.service.SampledLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which failures a client hears of, and how often our own are logged. */
final class StoreCallRunnerTest {
  private static final String PRICED =
      """
      rules:
        - name: priced
          limits:
            - {name: tokens, key: user, limit: 10 per hour, cost: tokens}
      """;

  @TempDir Path directory;

  @Test
  void anAttributeThatIsNoCostIsTheClientsMistake() throws Exception {
    Path rules = Files.writeString(directory.resolve("priced.yaml"), PRICED);
    try (RunningService service =
        RunningService.start(RunningService.options(directory).config(List.of(rules)))) {
      var answer = service.http.check(Map.of("user", "ann", "tokens", "many"));

      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.detail())
          .isEqualTo("attribute tokens must be a whole number, 0 or more, was \"many\"");
    }
  }

  @Test
  void ofManyFailuresOneInAMinuteIsLoggedWithTheNumberOfTheOthers() {
    List<String> lines = new ArrayList<>();
    AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    SampledLog log = new SampledLog(new ListLogger(lines), nanos::get);
    for (int i = 0; i < 100; i++) {
      log.error("a call failed", new IllegalArgumentException());
    }
    assertThat(lines).containsExactly("a call failed");

    nanos.addAndGet(60_000_000_000L);
    log.error("a call failed", new IllegalArgumentException());
    assertThat(lines)
        .containsExactly("a call failed", "a call failed (99 more since the last such line)");
  }

  /** Keeps the messages. */
  private record ListLogger(List<String> lines) implements System.Logger {
    @Override
    public String getName() {
      return "test";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(
        Level level, java.util.ResourceBundle bundle, String message, Throwable thrown) {
      lines.add(message);
    }

    @Override
    public void log(Level level, java.util.ResourceBundle bundle, String format, Object... values) {
      lines.add(format);
    }
  }
}
