package dev.weir.httpclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.RateLimiter;
import dev.weir.http.RateLimitFields;
import dev.weir.httpclient.ScriptedServer.Answer;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

/** A client against a real server, on a clock moved by hand. */
final class PacedHttpClientTest {
  private static final Answer USED_UP = new Answer(429, Map.of("Retry-After", "5"));

  private final ManualTime time = new ManualTime();
  private final PacedHttpClient client =
      PacedHttpClient.builder(HttpClient.newHttpClient()).time(time).build();

  @Test
  void aServerThatAnnouncesNothingIsNotSlowedDown() throws Exception {
    try (ScriptedServer server = new ScriptedServer(number -> Answer.OK)) {
      for (int i = 0; i < 5; i++) {
        assertThat(client.send(server.request(), BodyHandlers.discarding()).statusCode())
            .isEqualTo(200);
      }
    }
  }

  @Test
  void nothingIsSentAsLongAsRetryAfterSays() throws Exception {
    try (ScriptedServer server = new ScriptedServer(first(USED_UP))) {
      assertThat(client.send(server.request(), BodyHandlers.discarding()).statusCode())
          .isEqualTo(429);
      CompletableFuture<HttpResponse<Void>> second = sendAsync(server);
      time.advance(Duration.ofSeconds(5).minusNanos(1000));
      assertThat(second).isNotDone();
      assertThat(server.requests).hasValue(1);
      time.advance(Duration.ofNanos(1000));
      assertThat(second.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void whatRemainsIsSpreadOverTheTimeUntilThereIsMore() throws Exception {
    Answer twoLeft = new Answer(200, Map.of("RateLimit", "\"a\";r=2;t=60"));
    try (ScriptedServer server = new ScriptedServer(first(twoLeft))) {
      client.send(server.request(), BodyHandlers.discarding());
      CompletableFuture<HttpResponse<Void>> second = sendAsync(server);
      CompletableFuture<HttpResponse<Void>> third = sendAsync(server);
      time.advance(Duration.ofSeconds(30));
      second.get(30, TimeUnit.SECONDS);
      assertThat(third).isNotDone();
      time.advance(Duration.ofSeconds(30));
      third.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void aPauseAnnouncedMeanwhileHoldsThoseWhoWaitAlready() throws Exception {
    Answer oneLeft = new Answer(200, Map.of("RateLimit", "\"a\";r=1;t=10"));
    try (ScriptedServer server =
        new ScriptedServer(number -> number == 1 ? oneLeft : number == 2 ? USED_UP : Answer.OK)) {
      client.send(server.request(), BodyHandlers.discarding());
      CompletableFuture<HttpResponse<Void>> second = sendAsync(server);
      CompletableFuture<HttpResponse<Void>> third = sendAsync(server);
      time.advance(Duration.ofSeconds(18));
      assertThat(second.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(429);
      time.advance(Duration.ofSeconds(2));
      assertThat(third).isNotDone();
      assertThat(server.requests).hasValue(2);
      time.advance(Duration.ofSeconds(3));
      assertThat(third.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aDeniedRequestIsSentAgainIfRetriesAreWanted() throws Exception {
    PacedHttpClient retrying =
        PacedHttpClient.builder(HttpClient.newHttpClient()).time(time).retries(1).build();
    try (ScriptedServer server = new ScriptedServer(first(USED_UP))) {
      CompletableFuture<HttpResponse<Void>> answer =
          retrying.sendAsync(server.request(), BodyHandlers.discarding());
      eventually().until(() -> time.sleepers() == 1);
      time.advance(Duration.ofSeconds(5));
      assertThat(answer.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
      assertThat(server.requests).hasValue(2);
    }
  }

  @Test
  void aWaitThatIsTooLongIsRefusedAtOnceAndTakesNoPlace() throws Exception {
    PacedHttpClient impatient =
        PacedHttpClient.builder(HttpClient.newHttpClient())
            .time(time)
            .maxWait(Duration.ofSeconds(4))
            .build();
    try (ScriptedServer server = new ScriptedServer(first(USED_UP))) {
      impatient.send(server.request(), BodyHandlers.discarding());
      assertThatThrownBy(() -> impatient.send(server.request(), BodyHandlers.discarding()))
          .isInstanceOf(WaitTooLongException.class)
          .hasMessage("wait must be at most PT4S, was PT5S")
          .satisfies(
              refused ->
                  assertThat(((WaitTooLongException) refused).retryAfter())
                      .isEqualTo(Duration.ofSeconds(5)));
      time.advance(Duration.ofSeconds(5));
      assertThat(impatient.send(server.request(), BodyHandlers.discarding()).statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void aPacedClientIsNeverDeniedByALimiterOfOurs() throws Exception {
    RateLimiter limiter =
        RateLimiter.builder()
            .limit("minute", Limit.tokenBucket(10, Duration.ofMinutes(1)))
            .time(time)
            .build();
    IntFunction<Answer> limited =
        number -> {
          var decision = limiter.decide("client");
          return new Answer(
              decision.allowed() ? 200 : 429, RateLimitFields.standard().of(decision));
        };
    try (ScriptedServer server = new ScriptedServer(limited)) {
      for (int i = 0; i < 30; i++) {
        CompletableFuture<HttpResponse<Void>> answer = sendAsync(server);
        while (!answer.isDone()) {
          eventually().until(() -> answer.isDone() || time.sleepers() > 0);
          if (!answer.isDone()) {
            time.advance(Duration.ofSeconds(1));
          }
        }
        assertThat(answer.join().statusCode()).as("request %d", i).isEqualTo(200);
      }
    }
  }

  private static ConditionFactory eventually() {
    return await()
        .atMost(Duration.ofSeconds(30))
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2));
  }

  private CompletableFuture<HttpResponse<Void>> sendAsync(ScriptedServer server) {
    return client.sendAsync(server.request(), BodyHandlers.discarding());
  }

  private static IntFunction<Answer> first(Answer answer) {
    return number -> number == 1 ? answer : Answer.OK;
  }
}
