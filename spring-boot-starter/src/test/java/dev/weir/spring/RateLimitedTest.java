package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.http.AmbiguousPathException;
import dev.weir.rules.LiveRules;
import dev.weir.rules.RuleSet;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.SwitchableStore;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AliasFor;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What {@code @RateLimited} does to methods of beans, in an application without a web server. */
final class RateLimitedTest {
  private static final String RULES =
      """
      rules:
        - name: calls
          when: {path: /never}
          limits: [{name: calls, key: key, limit: 2 per minute}]
        - name: total
          limits: [{name: total, key: [], limit: 3 per minute}]
        - name: plans
          limits:
            - {name: plans, key: [tenant], by: plan, limit: {free: 1 per minute, paid: 2 per minute}}
        - name: from
          limits: [{name: from, key: [ip, method, path], limit: 3 per minute}]
      """;
  private static ConfigurableApplicationContext context;
  private static final ManualTime TIME = new ManualTime();
  private static final AtomicInteger RETRIES = new AtomicInteger();
  private static final List<String> THREADS = new CopyOnWriteArrayList<>();

  private final Shop shop = context.getBean(Shop.class);
  private final Counted counted = context.getBean(Counted.class);

  @BeforeAll
  static void start() {
    context =
        new SpringApplicationBuilder(Application.class)
            .web(WebApplicationType.NONE)
            .run("--logging.level.root=warn", "--shop.rule=total");
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  @BeforeEach
  void fresh() {
    use(RULES);
  }

  private static void use(String rules) {
    context.getBean(LiveRules.class).replace(RuleSet.parse("test", rules));
    context.getBean(SwitchableStore.class).use(MemoryStore.builder().time(TIME).build());
    RETRIES.set(0);
    THREADS.clear();
  }

  @Test
  void aKeyIsAnExpressionOverTheArguments() {
    shop.order(new User("ann", "t", "free"), List.of("a"));
    shop.order(new User("ann", "t", "free"), List.of("b"));
    RateLimitedException denial =
        catchThrowableOfType(
            RateLimitedException.class,
            () -> shop.order(new User("ann", "t", "free"), List.of("c")));
    assertThat(denial.retryAfter()).isEqualTo(Duration.ofSeconds(30));
    assertThat(denial.getStatusCode().value()).isEqualTo(429);
    assertThat(denial.getHeaders().getFirst("Retry-After")).isEqualTo("30");
    assertThat(denial.getBody().getProperties())
        .isEqualTo(Map.of("violated-policies", List.of("calls")));
    assertThat(denial).hasMessage("denied by calls; passes after PT30S");
    assertThat(shop.order(new User("bob", "t", "free"), List.of("d"))).isEqualTo("bob [d]");
  }

  /** So that a call counts under the key that requests, and the Actuator's endpoint, have. */
  @Test
  void aMapOfAttributesIsNormalisedAsARequestIs() {
    shop.from("2001:db8:1:2::3", "post", "/x/../login");
    shop.from("2001:db8:1:2::4", "POST", "/%6cogin?next=/");
    shop.from("2001:DB8:1:2::5", "POST", "//login");
    assertThatThrownBy(() -> shop.from("2001:db8:1:2:3::", "POST", "/login"))
        .isInstanceOf(RateLimitedException.class);
    shop.from("2001:db8:1:3::3", "POST", "/login");
    assertThatThrownBy(() -> shop.from("192.0.2.1", "GET", "/x%252Fy"))
        .isInstanceOf(AmbiguousPathException.class);
  }

  @Test
  void permitsAreAnExpressionToo() {
    User ann = new User("ann", "t", "free");
    assertThat(shop.order(ann, List.of("a", "b"))).isEqualTo("ann [a, b]");
    assertThatThrownBy(() -> shop.order(ann, List.of("c")))
        .isInstanceOf(RateLimitedException.class);
    RateLimitedException denial =
        catchThrowableOfType(
            RateLimitedException.class, () -> shop.order(ann, List.of("a", "b", "c")));
    assertThat(denial.retryAfter()).isEqualTo(Decision.NEVER);
    assertThat(denial).hasMessage("denied by calls; never passes");
  }

  @Test
  void aMapGivesSeveralAttributes() {
    User free = new User("ann", "t1", "free");
    User paid = new User("ann", "t2", "paid");
    shop.byPlan(free);
    assertThatThrownBy(() -> shop.byPlan(free)).isInstanceOf(RateLimitedException.class);
    shop.byPlan(paid);
    shop.byPlan(paid);
    assertThatThrownBy(() -> shop.byPlan(paid)).isInstanceOf(RateLimitedException.class);
  }

  @Test
  void severalAnnotationsAreOneDecision() {
    shop.both("a");
    shop.both("a");
    assertThatThrownBy(() -> shop.both("a")).hasMessageContaining("denied by calls;");
    assertThat(shop.placeholder()).isEqualTo("third"); // the denied call took nothing of the total
    assertThatThrownBy(shop::placeholder).hasMessageContaining("denied by total");
  }

  @Test
  void aFallbackAnswersInstead() {
    shop.withFallback("a");
    shop.withFallback("a");
    assertThat(shop.withFallback("a")).isEqualTo("instead of a: PT30S");
  }

  @Test
  void aClassLimitsItsMethodsAndAnAnnotationOfItsOwnWins() {
    counted.one();
    counted.two();
    counted.one();
    assertThatThrownBy(counted::two).hasMessageContaining("denied by total");
    assertThat(counted.own("a")).isEqualTo("own");
  }

  @Test
  void stagesFailWithTheDenial() {
    assertThat(shop.later("a").toCompletableFuture().join()).isEqualTo("later a");
    assertThat(shop.future("a").join()).isEqualTo("future a");
    CompletableFuture<String> denied = shop.future("a");
    assertThatThrownBy(denied::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(RateLimitedException.class);
  }

  @Test
  void reactiveTypesAreDecidedAtEachSubscription() {
    Mono<String> mono = shop.mono("a");
    Flux<String> flux = shop.flux("a");
    assertThat(mono.block()).isEqualTo("mono a");
    assertThat(flux.collectList().block()).containsExactly("flux", "a");
    assertThatThrownBy(mono::block).isInstanceOf(RateLimitedException.class);
    assertThatThrownBy(flux::blockLast).isInstanceOf(RateLimitedException.class);
    TIME.advance(Duration.ofSeconds(30));
    assertThat(mono.block()).isEqualTo("mono a");
  }

  @Test
  void aStoreThatAnswersLaterBlocksNoCallerOfAsynchronousMethods() {
    LateMemoryStore late = new LateMemoryStore();
    context.getBean(SwitchableStore.class).use(late);
    CompletableFuture<String> future = shop.future("a");
    CompletableFuture<String> mono = shop.mono("a").toFuture();
    assertThat(future).isNotDone();
    assertThat(mono).isNotDone();
    late.answer();
    assertThat(future.join()).isEqualTo("future a");
    assertThat(mono.join()).isEqualTo("mono a");
    assertThat(THREADS).noneMatch(name -> name.equals(Thread.currentThread().getName()));
  }

  @Test
  void eachRetryPays() {
    assertThat(shop.retried("a")).isEqualTo("after 1");
    assertThatThrownBy(() -> shop.order(new User("a", "t", "free"), List.of("x")))
        .isInstanceOf(RateLimitedException.class);
  }

  @Test
  void aDenialIsNotRetriedBeforeItCanPass() {
    shop.retried("a");
    RETRIES.set(0);
    assertThatThrownBy(() -> shop.retried("a")).isInstanceOf(RateLimitedException.class);
    assertThat(RETRIES).hasValue(0);
  }

  @Test
  void aRuleThatIsRemovedLimitsNothingAnyMore() {
    use("rules:\n  - name: other\n    limits: [{name: o, key: ip, limit: 1 per minute}]\n");
    for (int i = 0; i < 10; i++) {
      assertThat(shop.both("a")).isEqualTo("both");
    }
  }

  @Test
  void aStoreThatFailsIsAnsweredByTheFailurePolicy() {
    context.getBean(SwitchableStore.class).use(new BrokenStore());
    assertThat(shop.both("a")).isEqualTo("both");
    use(RULES.replace("  - name: total", "    on-store-failure: deny\n  - name: total"));
    context.getBean(SwitchableStore.class).use(new BrokenStore());
    RateLimitedException denial =
        catchThrowableOfType(RateLimitedException.class, () -> shop.both("a"));
    assertThat(denial.getStatusCode().value()).isEqualTo(503);
    assertThat(denial.decision().outcomes())
        .anyMatch(outcome -> outcome.policy().onStoreFailure() == FailurePolicy.DENY);
  }

  @Test
  void aKeyMustNotBeNull() {
    assertThatThrownBy(() -> shop.both(null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the key of @RateLimited(\"calls\") on dev.weir.spring.RateLimitedTest$Shop.both()"
                + " must not be null, was for #p0");
  }

  record User(String id, String tenant, String plan) {}

  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.METHOD)
  @RateLimited("calls")
  @interface PerCaller {
    @AliasFor(annotation = RateLimited.class, attribute = "key")
    String by();
  }

  static class Shop {
    @RateLimited(value = "calls", key = "#user.id", permits = "#items.size()")
    public String order(User user, List<String> items) {
      return user.id() + " " + items;
    }

    @RateLimited(value = "plans", key = "{tenant: #user.tenant, plan: #user.plan}")
    public void byPlan(User user) {}

    @RateLimited(value = "from", key = "{ip: #address, method: #method, path: #target}")
    public void from(String address, String method, String target) {}

    @RateLimited(rule = "total")
    @RateLimited(rule = "calls", key = "#p0")
    public String both(String key) {
      return "both";
    }

    @RateLimited("${shop.rule}")
    public String placeholder() {
      return "third";
    }

    @RateLimited(value = "calls", key = "#key", fallback = "instead")
    public String withFallback(String key) {
      return key;
    }

    private String instead(String key, RateLimitedException denial) {
      return "instead of " + key + ": " + denial.retryAfter();
    }

    @PerCaller(by = "#key")
    public CompletionStage<String> later(String key) {
      return CompletableFuture.completedFuture("later " + key);
    }

    @PerCaller(by = "#key")
    public CompletableFuture<String> future(String key) {
      THREADS.add(Thread.currentThread().getName());
      return CompletableFuture.completedFuture("future " + key);
    }

    @PerCaller(by = "#key")
    public Mono<String> mono(String key) {
      THREADS.add(Thread.currentThread().getName());
      return Mono.just("mono " + key);
    }

    @PerCaller(by = "#key")
    public Flux<String> flux(String key) {
      return Flux.just("flux", key);
    }

    @Retryable(delay = 1, predicate = DenialRetryPredicate.class)
    @PerCaller(by = "#key")
    public String retried(String key) {
      if (RETRIES.getAndIncrement() == 0) {
        throw new IllegalStateException("once");
      }
      return "after " + (RETRIES.get() - 1);
    }
  }

  @RateLimited("total")
  static class Counted {
    public void one() {}

    public void two() {}

    @RateLimited(value = "calls", key = "#p0")
    public String own(String key) {
      return "own";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @EnableResilientMethods
  static class Application {
    @Bean
    LiveRules rules() {
      return new LiveRules(RuleSet.parse("test", RULES));
    }

    @Bean
    LimitStore store() {
      return new SwitchableStore();
    }

    @Bean
    Shop shop() {
      return new Shop();
    }

    @Bean
    Counted counted() {
      return new Counted();
    }
  }
}
