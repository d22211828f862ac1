package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every integration promises about requests in flight, however they end. */
abstract class HttpSlotsContract extends LimitedApplication {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  /** The clock stands still, so that no slot is lost: only a release makes it free again. */
  @ParameterizedTest
  @ValueSource(strings = {"/x", "/fails", "/later", "/forwards"})
  void aSlotIsFreeAgainWhenTheResponseHasEnded(String path) throws Exception {
    start(
        """
        rules:
          - name: all
            limits:
              - {name: slots, key: [], limit: 1 at once}
        """);
    for (int request = 1; request <= 3; request++) {
      HttpResponse<String> answer = whenSlotIsFree(path);
      assertThat(answer.statusCode()).isNotEqualTo(429);
      if (answer.statusCode() == 200) { // a framework may answer a failure without any fields
        assertThat(answer.headers().firstValue("RateLimit-Policy").orElse(""))
            .contains("concurrent-requests");
      }
    }
  }

  /** The client may have the response a little earlier than the integration knows that it ended. */
  private HttpResponse<String> whenSlotIsFree(String path)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
    HttpResponse<String> answer = get(path);
    while (answer.statusCode() == 429 && System.nanoTime() - deadline < 0) {
      answer = get(path);
    }
    return answer;
  }
}
