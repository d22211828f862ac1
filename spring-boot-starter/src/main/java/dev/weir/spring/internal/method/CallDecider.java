package dev.weir.spring.internal.method;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.http.ClientAddress;
import dev.weir.http.RateLimitFields;
import dev.weir.http.RequestAttributes;
import dev.weir.rules.Attributes;
import dev.weir.rules.RuleSet;
import dev.weir.spring.RateLimitedException;
import dev.weir.spring.internal.rules.RulesByName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationContext;

/** Decides about calls of limited methods, by the rules in effect. Safe for many threads. */
public final class CallDecider {
  private final ParameterNameDiscoverer parameterNames = new DefaultParameterNameDiscoverer();
  private final RulesByName rules;
  private final RateLimiter limiter;
  private final RateLimitFields fields;
  private final ClientAddress addresses;
  private final BeanFactoryResolver beans;

  /**
   * @param addresses how the addresses of clients are shortened when they are keys: as for requests
   */
  public CallDecider(
      RulesByName rules,
      RateLimiter limiter,
      RateLimitFields fields,
      ClientAddress addresses,
      BeanFactory beans) {
    this.rules = rules;
    this.limiter = limiter;
    this.fields = fields;
    this.addresses = addresses;
    this.beans = new BeanFactoryResolver(beans);
  }

  RulesByName rules() {
    return rules;
  }

  /** Waits for the answer, no longer than the deadline of the store. */
  Optional<RateLimitedException> denial(MethodInvocation call, List<MethodLimit> limits) {
    List<Claim> claims = claims(call, limits);
    return claims.isEmpty() ? Optional.empty() : denial(limiter.decide(claims));
  }

  /** The same without blocking a thread; done already if the answer is known at once. */
  CompletionStage<Optional<RateLimitedException>> denialLater(
      MethodInvocation call, List<MethodLimit> limits) {
    List<Claim> claims = claims(call, limits);
    return claims.isEmpty()
        ? CompletableFuture.completedFuture(Optional.empty())
        : limiter.async().decide(claims).thenApply(this::denial);
  }

  private Optional<RateLimitedException> denial(Decision decision) {
    return decision.allowed()
        ? Optional.empty()
        : Optional.of(new RateLimitedException(decision, fields));
  }

  private List<Claim> claims(MethodInvocation call, List<MethodLimit> limits) {
    EvaluationContext context = context(call);
    List<Claim> claims = new ArrayList<>();
    for (MethodLimit limit : limits) {
      RuleSet rule = rules.findOrEmpty(limit.rule(), limit.place());
      if (!rule.names().isEmpty()) {
        RequestAttributes read = RequestAttributes.read(limit.attributes(context), addresses);
        Attributes attributes = Attributes.of(read.values(), read.otherPaths());
        claims.addAll(rule.claims(attributes, limit.permits(context)));
      }
    }
    return claims;
  }

  private EvaluationContext context(MethodInvocation call) {
    MethodBasedEvaluationContext context =
        new MethodBasedEvaluationContext(
            call.getThis(), call.getMethod(), call.getArguments(), parameterNames);
    context.setBeanResolver(beans);
    return context;
  }
}
