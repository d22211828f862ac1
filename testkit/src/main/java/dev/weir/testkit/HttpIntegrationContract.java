package dev.weir.testkit;

import static dev.weir.testkit.AnswerAssertions.TYPES;
import static dev.weir.testkit.AnswerAssertions.assertField;
import static dev.weir.testkit.AnswerAssertions.assertNoField;
import static dev.weir.testkit.AnswerAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.spi.LimitStore;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every integration with an HTTP framework promises: the same status, fields and body for the
 * same rules. Extend it, say how to start an application, add what only that framework has.
 *
 * <p>The test is a client: it knows nothing but HTTP, and a store whose clock it moves.
 */
public abstract class HttpIntegrationContract extends OutcomeContract {
  /** Only for subclasses. */
  protected HttpIntegrationContract() {}

  /**
   * Starts an application on a free port of 127.0.0.1 that is limited by rules and trusts no proxy.
   *
   * <p>Its handlers answer GET and HEAD, and call {@link Setup#handled} once per request:
   *
   * <ul>
   *   <li>{@code /fails} throws an exception, so that the framework answers 500
   *   <li>{@code /later} answers 200 and "passed" from another thread, if the framework can
   *   <li>{@code /forwards} hands the request on to another handler inside, which answers 200 and
   *       "passed", if the framework can
   *   <li>any other path answers 200 and the text "passed"
   * </ul>
   */
  @Override
  protected abstract Application start(Setup setup) throws Exception;

  /**
   * What an application is started with.
   *
   * @param rules in YAML
   * @param store where state is kept; the contract closes it
   * @param handled to be called whenever a request reaches a handler
   */
  public record Setup(String rules, LimitStore store, Runnable handled) {}

  /** A running application. */
  public interface Application extends AutoCloseable {
    /** Where it listens, without a path: {@code http://127.0.0.1:49152}. */
    URI uri();

    @Override
    void close();
  }

  @Test
  void anAllowedRequestPassesWithTheFieldsOfItsLimits() throws Exception {
    start(TWO_PER_MINUTE);
    HttpResponse<String> answer = get("/x");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("passed");
    assertField(answer, "RateLimit-Policy", "\"per-address\";q=2;w=60");
    assertField(answer, "RateLimit", "\"per-address\";r=1;t=30");
    assertNoField(answer, "Retry-After");
    assertNoField(answer, "Weir-Source");
    assertThat(handled).hasValue(1);
  }

  @Test
  void aDeniedRequestGetsAProblemAndNeverReachesTheHandler() throws Exception {
    start(TWO_PER_MINUTE);
    get("/x");
    get("/x");
    HttpResponse<String> answer = get("/x");
    assertThat(answer.statusCode()).isEqualTo(429);
    assertField(answer, "RateLimit-Policy", "\"per-address\";q=2;w=60");
    assertField(answer, "RateLimit", "\"per-address\";r=0;t=30");
    assertField(answer, "Retry-After", "30");
    assertField(answer, "Cache-Control", "no-store");
    assertProblem(answer, "quota-exceeded", "Quota Exceeded", "per-address");
    assertThat(handled).hasValue(2);
  }

  @Test
  void whoWaitsAsLongAsRetryAfterSaysPasses() throws Exception {
    start(TWO_PER_MINUTE);
    get("/x");
    get("/x");
    time.advance(Duration.ofSeconds(30).minusNanos(1000));
    assertThat(get("/x").statusCode()).isEqualTo(429);
    time.advance(Duration.ofNanos(1000));
    assertThat(get("/x").statusCode()).isEqualTo(200);
  }

  @Test
  void aDeniedRequestTakesNothingFromAnyLimit() throws Exception {
    start(
        """
        rules:
          - name: wide
            limits: [{name: wide, key: ip, limit: 10 per minute}]
          - name: tight
            limits: [{name: tight, key: header.x-batch, limit: 1 per minute}]
        """);
    get("/x", "X-Batch", "a");
    for (int i = 0; i < 5; i++) {
      HttpResponse<String> denied = get("/x", "X-Batch", "a");
      assertThat(denied.statusCode()).isEqualTo(429);
      assertField(denied, "RateLimit", "\"wide\";r=9;t=6, \"tight\";r=0;t=60");
      assertProblem(denied, "quota-exceeded", "Quota Exceeded", "tight");
    }
    assertField(get("/x"), "RateLimit", "\"wide\";r=8;t=12");
  }

  @Test
  void aRequestThatNoLimitAppliesToHasNoFields() throws Exception {
    start(
        """
        rules:
          - name: login
            when: {path: /login}
            limits: [{name: login, key: ip, limit: 1 per minute}]
        """);
    HttpResponse<String> answer = get("/x");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertNoField(answer, "RateLimit-Policy");
    assertNoField(answer, "RateLimit");
  }

  @Test
  void anAddressThatAClientMakesUpIsNotBelieved() throws Exception {
    start(TWO_PER_MINUTE);
    get("/x", "X-Forwarded-For", "192.0.2.1", "Forwarded", "for=192.0.2.1");
    get("/x", "X-Forwarded-For", "192.0.2.2", "Forwarded", "for=192.0.2.2");
    assertThat(get("/x", "X-Forwarded-For", "192.0.2.3").statusCode()).isEqualTo(429);
  }

  @Test
  void aHeaderFieldIsAKey() throws Exception {
    start(
        """
        rules:
          - name: keyed
            limits: [{name: keyed, key: header.x-api-key, limit: 1 per minute}]
        """);
    assertThat(get("/x", "X-Api-Key", "a").statusCode()).isEqualTo(200);
    assertThat(get("/x", "X-Api-Key", "a").statusCode()).isEqualTo(429);
    assertThat(get("/x", "X-Api-Key", "b").statusCode()).isEqualTo(200);
    assertNoField(get("/x"), "RateLimit");
  }

  @Test
  void methodAndPathChooseRulesWhateverTheSpelling() throws Exception {
    start(
        """
        rules:
          - name: login
            when: {path: /login, method: GET}
            limits: [{name: login, key: path, limit: 1 per minute}]
          - name: closed
            when: {method: POST}
            limits: [{name: closed, key: [], limit: blocked}]
        """);
    assertThat(get("/login?next=/x").statusCode()).isEqualTo(200);
    assertThat(get("/%6cogin").statusCode()).isEqualTo(429);
    assertThat(get("/x").statusCode()).isEqualTo(200);
  }

  @Test
  void aPathThatCannotBeReadForSureIsABadRequest() throws Exception {
    start(TWO_PER_MINUTE);
    assertThat(get("/x%252Fy").statusCode()).isEqualTo(400);
    assertThat(handled).hasValue(0);
    assertField(get("/x"), "RateLimit", "\"per-address\";r=1;t=30");
  }

  @Test
  void aCostThatIsNoNumberIsABadRequest() throws Exception {
    start(
        """
        rules:
          - name: costs
            limits: [{name: costs, key: ip, cost: header.x-cost, limit: 10 per minute}]
        """);
    assertField(get("/x", "X-Cost", "4"), "RateLimit", "\"costs\";r=6;t=24");
    HttpResponse<String> refused = get("/x", "X-Cost", "much");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertField(refused, "Content-Type", "application/problem+json");
    assertThat(refused.body()).contains("\"title\":\"Bad Request\"", "header.x-cost");
    assertThat(handled).hasValue(1);
  }

  @Test
  void aShadowLimitNeverDeniesAndIsNotShown() throws Exception {
    start(
        """
        rules:
          - name: tried
            mode: shadow
            limits: [{name: tried, key: ip, limit: 1 per minute}]
        """);
    for (int i = 0; i < 3; i++) {
      HttpResponse<String> answer = get("/x");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertNoField(answer, "RateLimit-Policy");
    }
  }

  @Test
  void aBlockedKeyIsNotToldToComeBack() throws Exception {
    start(
        """
        rules:
          - name: closed
            limits: [{name: closed, key: ip, limit: blocked}]
        """);
    HttpResponse<String> answer = get("/x");
    assertThat(answer.statusCode()).isEqualTo(429);
    assertNoField(answer, "Retry-After");
    assertProblem(answer, "quota-exceeded", "Quota Exceeded", "closed");
  }

  @Test
  void aHeadCountsOnceAndItsDenialHasNoBody() throws Exception {
    start(TWO_PER_MINUTE);
    assertField(head("/x"), "RateLimit", "\"per-address\";r=1;t=30");
    assertField(head("/x"), "RateLimit", "\"per-address\";r=0;t=60");
    HttpResponse<String> denied = head("/x");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertField(denied, "Retry-After", "30");
    assertThat(denied.body()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/fails", "/later", "/forwards"})
  void aRequestCountsOnceHoweverItIsHandled(String path) throws Exception {
    start(TWO_PER_MINUTE);
    assertThat(get(path).statusCode()).isEqualTo(path.equals("/fails") ? 500 : 200);
    assertField(get("/x"), "RateLimit", "\"per-address\";r=0;t=60");
    HttpResponse<String> denied = get(path);
    assertThat(denied.statusCode()).isEqualTo(429);
    assertProblem(denied, "quota-exceeded", "Quota Exceeded", "per-address");
  }

  @Test
  void aStoreThatAnswersLaterIsWaitedFor() throws Exception {
    store = new LateStore(store);
    start(TWO_PER_MINUTE);
    HttpResponse<String> answer = get("/x");
    assertThat(answer.body()).isEqualTo("passed");
    assertField(answer, "RateLimit", "\"per-address\";r=1;t=30");
    assertThat(get("/later").body()).isEqualTo("passed");
    HttpResponse<String> denied = get("/x");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertField(denied, "Retry-After", "30");
    assertProblem(denied, "quota-exceeded", "Quota Exceeded", "per-address");
    assertThat(handled).hasValue(2);
  }

  @Test
  void aStoreThatFailsDeniesWith503WhereThePolicySaysDeny() throws Exception {
    startWithoutStore("deny");
    HttpResponse<String> answer = get("/x");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertField(answer, "RateLimit-Policy", "\"per-address\";q=2;w=60");
    assertNoField(answer, "RateLimit");
    assertField(answer, "Retry-After", "1");
    assertField(answer, "Cache-Control", "no-store");
    assertField(answer, "Weir-Source", "fallback");
    assertProblem(
        answer, "temporary-reduced-capacity", "Temporary Reduced Capacity", "per-address");
    assertThat(handled).hasValue(0);
  }

  @Test
  void aStoreThatFailsLetsRequestsPassMarkedWhereThePolicySaysAllow() throws Exception {
    startWithoutStore("allow");
    for (int i = 1; i <= 3; i++) {
      HttpResponse<String> answer = get("/x");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo("passed");
      assertField(answer, "Weir-Source", "fallback");
      assertNoField(answer, "RateLimit");
      assertThat(handled).hasValue(i);
    }
  }

  @Test
  void aStoreThatFailsIsAnswered503WhereThePolicySaysError() throws Exception {
    startWithoutStore("error");
    HttpResponse<String> answer = get("/x");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertField(answer, "Retry-After", "1");
    assertThat(answer.body()).contains("\"type\":\"" + TYPES + "temporary-reduced-capacity\"");
    assertThat(handled).hasValue(0);
  }

  private void startWithoutStore(String failurePolicy) throws Exception {
    store = new FailingStore();
    start(TWO_PER_MINUTE + "    on-store-failure: " + failurePolicy + "\n");
  }
}
