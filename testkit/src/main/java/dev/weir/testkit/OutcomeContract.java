package dev.weir.testkit;

import static dev.weir.testkit.AnswerAssertions.assertField;
import static dev.weir.testkit.AnswerAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every integration reports of the requests it let pass, and what becomes of knocking on. */
abstract class OutcomeContract extends HttpSlotsContract {
  @Test
  void aLimitThatCountsSomeResponsesGivesTheOthersBack() throws Exception {
    start(TWO_PER_MINUTE.replace("per minute}", "per minute, count: {status: [500-599]}}"));
    for (int i = 0; i < 4; i++) {
      assertThat(get("/x").statusCode()).isEqualTo(200);
    }
    assertThat(get("/fails").statusCode()).isEqualTo(500);
    assertThat(get("/x").statusCode()).isEqualTo(200);
    assertThat(get("/fails").statusCode()).isEqualTo(500);
    assertThat(get("/x").statusCode()).isEqualTo(429);
    assertThat(handled).hasValue(7);
  }

  @Test
  void aLimitCanGiveBackWhatTheServerFailedToDo() throws Exception {
    start(TWO_PER_MINUTE.replace("per minute}", "per minute, give-back: {status: [500-599]}}"));
    for (int i = 0; i < 4; i++) {
      assertThat(get("/fails").statusCode()).isEqualTo(500);
    }
    get("/x");
    get("/x");
    assertThat(get("/x").statusCode()).isEqualTo(429);
  }

  /** However a request is handled: a container may report its end after the client has read it. */
  @ParameterizedTest
  @ValueSource(strings = {"/x", "/later", "/forwards"})
  void theResponseIsReportedHoweverItIsMade(String path) throws Exception {
    start(TWO_PER_MINUTE.replace("per minute}", "per minute, count: {status: [500-599]}}"));
    for (int i = 0; i < 4; i++) {
      untilAllowed(path);
    }
    assertThat(get("/fails").statusCode()).isEqualTo(500);
    untilAllowed(path);
    untilAllowed(path); // has given back: one of two is in use
  }

  /** A denied request takes nothing, so only what others give back can make it pass. */
  private void untilAllowed(String path) throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    int status = get(path).statusCode();
    while (status == 429 && System.nanoTime() < deadline) {
      status = get(path).statusCode();
    }
    assertThat(status).isEqualTo(200);
  }

  @Test
  void whoKeepsAskingAfterDenialsIsBlockedForLonger() throws Exception {
    start(
        TWO_PER_MINUTE.replace(
            "per minute}", "per minute, penalty: {after: 2 denials per 10m, block: 15m}}"));
    get("/x");
    get("/x");
    assertProblem(get("/x"), "quota-exceeded", "Quota Exceeded", "per-address");
    for (int i = 0; i < 2; i++) {
      HttpResponse<String> blocked = get("/x");
      assertThat(blocked.statusCode()).isEqualTo(429);
      assertField(blocked, "Retry-After", "900");
      assertProblem(blocked, "abnormal-usage-detected", "Abnormal Usage Detected", "per-address");
    }
    time.advance(Duration.ofMinutes(15));
    assertThat(get("/x").statusCode()).isEqualTo(200);
    assertThat(handled).hasValue(3);
  }
}
