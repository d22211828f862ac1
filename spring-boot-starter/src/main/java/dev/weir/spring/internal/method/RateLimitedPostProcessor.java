package dev.weir.spring.internal.method;

import java.lang.reflect.Method;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/**
 * Puts the limits around beans with {@code @RateLimited}: inside {@code @Retryable} and
 * {@code @Async}, outside {@code @Transactional} and {@code @Cacheable}.
 *
 * <p>Post-processors of these annotations put their advice before what is there already. The one
 * for transactions and caches runs first, this one second, those for retries and asynchronous
 * calls, with the two lowest precedences, last.
 */
public final class RateLimitedPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {
  private static final long serialVersionUID = 1;

  private static final int BEFORE_RETRYABLE = LOWEST_PRECEDENCE - 2;

  /**
   * @param decider looked up when the first annotation is found
   * @param executor runs methods that return a stage, if their decision comes later
   * @param placeholders resolves them in the names of rules
   */
  public RateLimitedPostProcessor(
      Supplier<CallDecider> decider,
      Supplier<Executor> executor,
      UnaryOperator<String> placeholders) {
    LimitedMethods methods = new LimitedMethods(() -> decider.get().rules(), placeholders);
    this.advisor =
        new DefaultPointcutAdvisor(
            new LimitedPointcut(methods),
            new RateLimitedInterceptor(methods, decider, new AsyncMethodCalls(executor)));
    setBeforeExistingAdvisors(true);
    setOrder(BEFORE_RETRYABLE);
  }

  /** The methods that have limits. */
  private static final class LimitedPointcut extends StaticMethodMatcherPointcut {
    private final LimitedMethods methods;

    LimitedPointcut(LimitedMethods methods) {
      this.methods = methods;
    }

    @Override
    public boolean matches(Method method, Class<?> type) {
      return !methods.of(method, type).isEmpty();
    }
  }
}
