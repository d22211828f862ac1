package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.redis.StoreAddress;
import dev.weir.rules.LiveRules;
import dev.weir.testkit.RedisServers;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Where an application keeps its state: in memory, or in its own Redis. */
final class ConfiguredStoreTest {
  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  private static final Policy ALLOW =
      Policy.of("rule", "allow", Limit.fixedWindow(1, Duration.ofHours(1)));
  private static final Policy DENY =
      Policy.of("rule", "deny", Limit.fixedWindow(100, Duration.ofHours(1)))
          .onStoreFailure(FailurePolicy.DENY);

  @Test
  void memoryIsTheDefault() {
    try (ConfigurableApplicationContext application = start(Plain.class)) {
      assertThat(application.getBean(StoreAddress.class).isMemory()).isTrue();
      assertThat(application.getBean(LiveRules.class).get().names()).isEmpty();
    }
  }

  @Test
  void instancesShareTheRedisOfTheApplication() {
    try (ConfigurableApplicationContext one = start(Plain.class, redis());
        ConfigurableApplicationContext other = start(Plain.class, redis())) {
      assertThat(one.getBean(StoreAddress.class)).hasToString(SERVERS.redis().uri());
      assertThat(decide(one, ALLOW).allowed()).isTrue();
      assertThat(decide(other, ALLOW).allowed()).isFalse();
      assertThat(one.getBean(MeterRegistry.class).get("weir.requests").counters()).isNotEmpty();
    }
  }

  @Test
  void anOutageIsAnsweredByFailurePoliciesAndHealthStaysUp() {
    try (ConfigurableApplicationContext application =
        start(Plain.class, redis("weir.redis.deadline=2s", "weir.redis.deny-cache=0"))) {
      assertThat(decide(application, DENY).allowed()).isTrue();
      assertThat(health(application).getDetails()).containsEntry("degraded", false);

      SERVERS.redis().kill();
      assertThat(decide(application, DENY).allowed()).isFalse();
      assertThat(decide(application, ALLOW).allowed()).isTrue();
      Health health = health(application);
      assertThat(health.getStatus()).isEqualTo(Status.UP);
      assertThat(health.getDetails())
          .containsEntry("store", SERVERS.redis().uri())
          .containsEntry("fallback", true)
          .containsEntry("degraded", true);
      assertThat(health.getDetails().get("reasons").toString())
          .contains("answers are given by failure policy");
    }
  }

  @Test
  void aBeanMayTellTheConnection() {
    try (ConfigurableApplicationContext application = start(WithDetails.class)) {
      assertThat(application.getBean(StoreAddress.class)).hasToString(SERVERS.redis().uri());
    }
  }

  @Test
  void anApplicationMayStartWithoutItsRedis() {
    try (ConfigurableApplicationContext application =
        start(
            Plain.class,
            "spring.data.redis.url=redis://127.0.0.1:1",
            "weir.redis.require-at-start=false")) {
      assertThat(decide(application, ALLOW).allowed()).isTrue();
      assertThat(decide(application, DENY).allowed()).isFalse();
    }
  }

  @Test
  void aRulesFileIsFollowedWhileTheApplicationRuns(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("weir.yaml");
    write(file, "first");
    try (ConfigurableApplicationContext application =
        start(Plain.class, "weir.rules-file=" + file, "weir.reload-interval=20ms")) {
      LiveRules rules = application.getBean(LiveRules.class);
      assertThat(rules.get().names()).containsExactly("first");
      write(file, "second");
      await().untilAsserted(() -> assertThat(rules.get().names()).containsExactly("second"));
      Files.writeString(file, "rules: nonsense");
      await()
          .untilAsserted(
              () ->
                  assertThat(health(application).getDetails().get("reasons").toString())
                      .contains("new rules were refused"));
      assertThat(rules.get().names()).containsExactly("second");
    }
  }

  private static void write(Path file, String rule) throws IOException {
    Files.writeString(
        file, "rules: [{name: " + rule + ", limits: [{name: a, key: ip, limit: 1 per minute}]}]\n");
  }

  private static Decision decide(ConfigurableApplicationContext application, Policy policy) {
    return application.getBean(RateLimiter.class).decide(List.of(Claim.of(policy, "key")));
  }

  private static Health health(ConfigurableApplicationContext application) {
    return application.getBean("weirHealthIndicator", HealthIndicator.class).health();
  }

  private static String[] redis(String... more) {
    return Stream.concat(
            Stream.of(
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + SERVERS.redis().port()),
            Arrays.stream(more))
        .toArray(String[]::new);
  }

  private static ConfigurableApplicationContext start(Class<?> type, String... properties) {
    return new SpringApplicationBuilder(type)
        .web(WebApplicationType.NONE)
        .run(
            Stream.concat(Stream.of("logging.level.root=warn"), Arrays.stream(properties))
                .map(property -> "--" + property)
                .toArray(String[]::new));
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Plain {}

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class WithDetails {
    @Bean
    DataRedisConnectionDetails details() {
      return new DataRedisConnectionDetails() {
        @Override
        public Standalone getStandalone() {
          return Standalone.of("127.0.0.1", SERVERS.redis().port());
        }
      };
    }
  }
}
