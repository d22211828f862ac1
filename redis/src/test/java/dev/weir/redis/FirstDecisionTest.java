package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.RedisProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The first guarded decision of a JVM does not wait for the classes of its path to be loaded. */
@Timeout(120)
final class FirstDecisionTest {
  /**
   * Five times the default, because other tests may keep all cores busy. Without warming up, the
   * first decision took 68 to 1,256 ms.
   */
  private static final int DEADLINE_MILLIS = 250;

  private static final int PROCESSES = 3;

  /** One of them may be unlucky: a stalled machine says nothing of the store. */
  @Test
  void theFirstDecisionOfAFreshJvmIsAnsweredByTheStore() throws IOException {
    List<String> answers = new ArrayList<>();
    try (RedisProcess redis = RedisProcess.start()) {
      for (int i = 0; i < PROCESSES; i++) {
        Process fresh = launch(redis.uri());
        try {
          answers.add(fresh.inputReader().readLine());
        } finally {
          fresh.destroyForcibly();
        }
      }
    }
    assertThat(answers)
        .filteredOn(answer -> answer.startsWith("STORE after "))
        .as("of " + answers)
        .hasSizeGreaterThanOrEqualTo(PROCESSES - 1);
  }

  private static Process launch(String uri) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-cp",
            System.getProperty("java.class.path"),
            FirstDecision.class.getName(),
            uri,
            String.valueOf(DEADLINE_MILLIS))
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
