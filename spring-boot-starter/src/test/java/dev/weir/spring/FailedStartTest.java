package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application that is configured wrongly does not start, and says what to change. */
final class FailedStartTest {
  private static final String[] ONE_RULE = {
    "weir.rules[0].name=calls",
    "weir.rules[0].limits[0].name=calls",
    "weir.rules[0].limits[0].key=key",
    "weir.rules[0].limits[0].limit=1 per minute"
  };

  @Test
  void aFaultyRuleInPropertiesIsNamed() {
    FailureAnalysis failure = failure(Plain.class, with("weir.rules[0].limits[0].limit=1 per hur"));
    assertThat(failure.getDescription())
        .contains("Property: weir.rules[0].limits[0].limit", "Value: \"1 per hur\"", "Reason: ");
    assertThat(failure.getAction()).startsWith("Correct these properties.");
  }

  @Test
  void aFaultyRulesFileIsNamedWithItsLine(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("weir.yaml");
    Files.writeString(file, "rules:\n  - name: a\n    limits: [{name: a, key: ip}]\n");
    FailureAnalysis failure = failure(Plain.class, "weir.rules-file=" + file);
    assertThat(failure.getDescription())
        .contains("weir.rules-file", file + ":3:14: limit \"a\" must have limit");
  }

  @Test
  void rulesInTwoPlacesAreRefused() {
    FailureAnalysis failure = failure(Plain.class, with("weir.rules-file=classpath:x.yaml"));
    assertThat(failure.getDescription())
        .contains("Property: weir.rules-file", "must not be set beside weir.rules");
  }

  @Test
  void aResourceThatIsMissingIsNamed() {
    FailureAnalysis failure = failure(Plain.class, "weir.rules-file=classpath:missing.yaml");
    assertThat(failure.getDescription())
        .contains("Property: weir.rules-file", "Value: classpath:missing.yaml");
  }

  @Test
  void anUnknownPropertyIsRefused() {
    FailureAnalysis failure = failure(Plain.class, "weir.web.trusted-proxy=10.0.0.0/8");
    assertThat(failure.getDescription()).contains("weir.web.trusted-proxy", "were left unbound");
  }

  @Test
  void aStoreThatIsNoAddressIsRefusedWithoutItsPassword() {
    FailureAnalysis failure = failure(Plain.class, "weir.store=http://user:secret@host");
    assertThat(failure.getDescription())
        .contains("Property: weir.store", "must be memory, redis, redis://")
        .doesNotContain("secret");
  }

  @Test
  void aRedisThatCannotBeReachedIsNamedWithoutItsPassword() {
    FailureAnalysis failure =
        failure(
            Plain.class,
            "spring.data.redis.host=127.0.0.1",
            "spring.data.redis.port=1",
            "spring.data.redis.password=secret");
    assertThat(failure.getDescription())
        .startsWith("The store of the limits, redis://***@127.0.0.1:1, cannot be used: ")
        .doesNotContain("secret");
    assertThat(failure.getAction())
        .contains("spring.data.redis", "weir.store", "weir.redis.require-at-start");
  }

  @Test
  void settingsThatTheStoreCannotFollowAreRefused() {
    FailureAnalysis failure =
        failure(
            Plain.class,
            "spring.data.redis.sentinel.master=main",
            "spring.data.redis.sentinel.nodes=127.0.0.1:1",
            "spring.data.redis.sentinel.password=secret");
    assertThat(failure.getDescription())
        .contains("Property: spring.data.redis.sentinel.password", "must not be set for Weir")
        .doesNotContain("secret");
  }

  @Test
  void settingsOfTlsForAnAddressWithoutAreRefused() {
    assertThat(
            failure(Plain.class, "weir.store=redis://127.0.0.1:1", "weir.redis.ssl-bundle=own")
                .getDescription())
        .contains(
            "Property: weir.redis.ssl-bundle",
            "Value: own",
            "must be given only for an address that begins with rediss");
    assertThat(
            failure(Plain.class, "spring.data.redis.port=1", "weir.redis.verify-peer=none")
                .getDescription())
        .contains("Property: weir.redis.verify-peer", "the address is redis://localhost:1");
  }

  @Test
  void aNumberOutOfRangeIsRefused() {
    assertThat(failure(Plain.class, "weir.redis.breaker-after=0").getDescription())
        .contains("Property: weir.redis.breaker-after", "Value: 0", "must be 1 or more");
  }

  @Test
  void anAnnotationThatNamesNoRuleIsRefused() {
    FailureAnalysis failure = failure(WrongRule.class, ONE_RULE);
    assertThat(failure.getDescription())
        .isEqualTo(
            "@RateLimited(\"calsl\") on dev.weir.spring.FailedStartTest$WrongRuleBean.call() names"
                + " a rule that does not exist.");
    assertThat(failure.getAction()).endsWith("or name one of [calls].");
  }

  @Test
  void anAnnotationWithoutTheKeyOfItsRuleIsRefused() {
    FailureAnalysis failure = failure(NoKey.class, ONE_RULE);
    assertThat(failure.getDescription())
        .endsWith("gives no [key], which the limits of the rule look at.");
  }

  @Test
  void anExpressionThatCannotBeParsedIsRefused() {
    assertThat(failure(BadExpression.class, ONE_RULE).getDescription())
        .contains("has key = \"#p0..\", which is no expression");
  }

  @Test
  void aFallbackThatIsMissingIsRefused() {
    FailureAnalysis failure = failure(NoFallback.class, ONE_RULE);
    assertThat(failure.getDescription()).contains("names the fallback \"other\"");
    assertThat(failure.getAction()).startsWith("Add a method other with the same parameters");
  }

  private static String[] with(String property) {
    String[] all = Arrays.copyOf(ONE_RULE, ONE_RULE.length + 1);
    all[ONE_RULE.length] = property;
    String name = property.substring(0, property.indexOf('=') + 1);
    return Arrays.stream(all)
        .filter(one -> one.equals(property) || !one.startsWith(name))
        .toArray(String[]::new);
  }

  private static FailureAnalysis failure(Class<?> application, String... properties) {
    CapturedFailures.LAST.set(null);
    SpringApplicationBuilder builder =
        new SpringApplicationBuilder(application).web(WebApplicationType.NONE);
    String[] arguments =
        Arrays.stream(properties).map(property -> "--" + property).toArray(String[]::new);
    assertThatThrownBy(() -> builder.run(arguments)).isNotNull();
    FailureAnalysis failure = CapturedFailures.LAST.get();
    assertThat(failure).as("an explanation").isNotNull();
    return failure;
  }

  @Configuration(proxyBeanMethods = false)
  @Import(StarterAlone.class)
  static class Plain {}

  @Configuration(proxyBeanMethods = false)
  @Import(StarterAlone.class)
  static class WrongRule {
    @Bean
    WrongRuleBean bean() {
      return new WrongRuleBean();
    }
  }

  static class WrongRuleBean {
    @RateLimited(value = "calsl", key = "#p0")
    public void call(String key) {}
  }

  @Configuration(proxyBeanMethods = false)
  @Import(StarterAlone.class)
  static class NoKey {
    @Bean
    NoKeyBean bean() {
      return new NoKeyBean();
    }
  }

  static class NoKeyBean {
    @RateLimited("calls")
    public void call() {}
  }

  @Configuration(proxyBeanMethods = false)
  @Import(StarterAlone.class)
  static class BadExpression {
    @Bean
    BadExpressionBean bean() {
      return new BadExpressionBean();
    }
  }

  static class BadExpressionBean {
    @RateLimited(value = "calls", key = "#p0..")
    public void call(String key) {}
  }

  @Configuration(proxyBeanMethods = false)
  @Import(StarterAlone.class)
  static class NoFallback {
    @Bean
    NoFallbackBean bean() {
      return new NoFallbackBean();
    }
  }

  static class NoFallbackBean {
    @RateLimited(value = "calls", key = "#p0", fallback = "other")
    public void call(String key) {}
  }
}
