package dev.weir.spring.internal.method;

import dev.weir.spring.RateLimitedException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** One call of a limited method: decided first, then answered with the result or the denial. */
record LimitedCall(MethodInvocation invocation, List<MethodLimit> limits, CallDecider decider) {

  /** Why the call is denied; empty if it may proceed. Waits for the store. */
  Optional<RateLimitedException> decide() {
    return decider.denial(invocation, limits);
  }

  /** The same without blocking a thread. */
  CompletionStage<Optional<RateLimitedException>> decideLater() {
    return decider.denialLater(invocation, limits);
  }

  /** A call that can be made on another thread, or once more. */
  LimitedCall copy() {
    return invocation instanceof ProxyMethodInvocation proxied
        ? new LimitedCall(proxied.invocableClone(), limits, decider)
        : this;
  }

  /** Proceeds, or calls the fallback of the annotation that denies, or throws the denial. */
  @Nullable Object answer(Optional<RateLimitedException> denial) throws Throwable {
    if (denial.isEmpty()) {
      return invocation.proceed();
    }
    Method fallback = fallback(denial.get());
    if (fallback == null) {
      throw denial.get();
    }
    try {
      return fallback.invoke(
          invocation.getThis(),
          FallbackFinder.arguments(fallback, invocation.getArguments(), denial.get()));
    } catch (InvocationTargetException thrown) {
      throw thrown.getTargetException();
    }
  }

  private @Nullable Method fallback(RateLimitedException denial) {
    String denying =
        denial.decision().deniedBy().map(outcome -> outcome.policy().rule()).orElse("");
    for (MethodLimit limit : limits) {
      if (limit.rule().equals(denying)) {
        return limit.fallback();
      }
    }
    return null;
  }
}
