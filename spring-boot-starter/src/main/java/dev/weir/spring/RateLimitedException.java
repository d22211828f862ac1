package dev.weir.spring;

import dev.weir.Decision;
import dev.weir.http.HttpAnswer;
import dev.weir.http.Problem;
import dev.weir.http.RateLimitFields;
import java.net.URI;
import java.time.Duration;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/**
 * A call was denied by its limits. Spring MVC and WebFlux answer the request, unless the
 * application handles the exception, as a limited request is answered: 429 with {@code Retry-After}
 * and the other fields, or 503 if it was denied because the store failed.
 *
 * <p>It carries the wait after which the same call passes, for {@code @Retryable} (see {@link
 * DenialRetryPredicate}) and for callers that wait themselves. It has no stack trace: clients can
 * cause any number of them.
 */
public final class RateLimitedException extends ErrorResponseException {
  private static final long serialVersionUID = 1;

  private final transient Decision decision;
  private final transient HttpAnswer answer;

  /**
   * @param decision a denial
   * @param fields which header fields an answer to it has
   */
  public RateLimitedException(Decision decision, RateLimitFields fields) {
    this(decision, HttpAnswer.of(decision, fields), Problem.of(decision));
  }

  private RateLimitedException(Decision decision, HttpAnswer answer, Problem problem) {
    super(HttpStatusCode.valueOf(problem.status()), detail(problem), null);
    this.decision = decision;
    this.answer = answer;
    answer.fields().forEach(getHeaders()::set);
  }

  private static ProblemDetail detail(Problem problem) {
    ProblemDetail detail = ProblemDetail.forStatus(problem.status());
    detail.setType(URI.create(problem.type()));
    detail.setTitle(problem.title());
    detail.setProperty("violated-policies", problem.violatedPolicies());
    return detail;
  }

  public Decision decision() {
    return decision;
  }

  /** The smallest wait after which the same call passes, or {@link Decision#NEVER}. */
  public Duration retryAfter() {
    return decision.retryAfter();
  }

  /** The status, fields and body to answer with, as for a limited request. */
  public HttpAnswer answer() {
    return answer;
  }

  @Override
  public String getMessage() {
    Duration wait = retryAfter();
    return "denied by "
        + String.join(", ", Problem.of(decision).violatedPolicies())
        + (wait.equals(Decision.NEVER) ? "; never passes" : "; passes after " + wait);
  }

  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
