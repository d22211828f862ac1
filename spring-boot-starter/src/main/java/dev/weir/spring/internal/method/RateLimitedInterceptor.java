package dev.weir.spring.internal.method;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/** Decides about each call of a limited method, in the way that its return type asks for. */
final class RateLimitedInterceptor implements MethodInterceptor {
  private final ReactiveAdapterRegistry reactive = ReactiveAdapterRegistry.getSharedInstance();
  private final LimitedMethods methods;
  private final Supplier<CallDecider> decider;
  private final AsyncMethodCalls async;

  /**
   * @param decider looked up at the first call
   */
  RateLimitedInterceptor(
      LimitedMethods methods, Supplier<CallDecider> decider, AsyncMethodCalls async) {
    this.methods = methods;
    this.decider = decider;
    this.async = async;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    List<MethodLimit> limits = methods.of(invocation.getMethod(), targetClass(invocation));
    if (limits.isEmpty()) {
      return invocation.proceed();
    }
    LimitedCall call = new LimitedCall(invocation, limits, decider.get());
    Class<?> returned = invocation.getMethod().getReturnType();
    if (returned == CompletionStage.class || returned == CompletableFuture.class) {
      return async.stage(call);
    }
    ReactiveAdapter adapter = reactive.getAdapter(returned);
    return adapter == null ? call.answer(call.decide()) : async.publisher(adapter, call);
  }

  private static Class<?> targetClass(MethodInvocation invocation) {
    Object bean = invocation.getThis();
    return bean == null
        ? invocation.getMethod().getDeclaringClass()
        : AopUtils.getTargetClass(bean);
  }
}
