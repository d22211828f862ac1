package dev.weir.spring;

import java.lang.reflect.Method;
import java.time.Duration;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.resilience.retry.MethodRetryPredicate;

/**
 * Retries a denied call only if the first delay of its {@code @Retryable} is long enough for the
 * call to pass. Other failures are retried as the annotation says.
 *
 * <pre>{@code
 * @Retryable(delay = 2000, predicate = DenialRetryPredicate.class)
 * @RateLimited("mail")
 * public void send(Message message) { … }
 * }</pre>
 *
 * <p>Reads the attribute {@code delay}, not {@code delayString}.
 */
public final class DenialRetryPredicate implements MethodRetryPredicate {
  @Override
  public boolean shouldRetry(Method method, Throwable failure) {
    return !(failure instanceof RateLimitedException denial)
        || denial.retryAfter().compareTo(delay(method)) <= 0;
  }

  private static Duration delay(Method method) {
    Retryable retryable = AnnotatedElementUtils.findMergedAnnotation(method, Retryable.class);
    if (retryable == null) {
      retryable =
          AnnotatedElementUtils.findMergedAnnotation(method.getDeclaringClass(), Retryable.class);
    }
    return retryable == null
        ? Duration.ZERO
        : Duration.of(retryable.delay(), retryable.timeUnit().toChronoUnit());
  }
}
