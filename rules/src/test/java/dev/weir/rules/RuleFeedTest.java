package dev.weir.rules;

import static dev.weir.rules.Requests.claim;
import static dev.weir.rules.Requests.limit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.redis.RedisStore;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Two instances that take their rules from one Redis. */
final class RuleFeedTest {
  private final LiveRules one = new LiveRules(rules(1));
  private final LiveRules other = new LiveRules(rules(1));
  private final List<String> refused = new ArrayList<>();

  @Test
  void aFleetChangesTogetherAndKeepsItsRulesWhenAVersionIsBadOrRedisDoesNotAnswer() {
    try (RedisProcess redis = RedisProcess.start();
        RedisStore store =
            RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(10)).build()) {
      listen(other);
      RuleFeed first = feed(one, store);
      RuleFeed second = feed(other, store);
      first.refresh();
      assertThat(permits(one)).as("there is no text yet").isEqualTo(1);

      store.texts().put("rules", text(2)).toCompletableFuture().join();
      first.refresh();
      second.refresh();
      assertThat(permits(one)).isEqualTo(2);
      assertThat(permits(other)).isEqualTo(2);

      store.texts().put("rules", "rules: []").toCompletableFuture().join();
      second.refresh();
      second.refresh();
      assertThat(refused)
          .containsExactly("redis:1:8: rules must be a list of at least one, was an empty one");

      redis.kill();
      second.refresh();
      assertThat(permits(other)).isEqualTo(2);
    }
  }

  @Test
  void aThreadFollowsTheSourceUntilTheFeedIsClosed() {
    List<String> texts = new CopyOnWriteArrayList<>(List.of(text(2)));
    try (RuleFeed feed =
        RuleFeed.start(
            one, Duration.ofMillis(1), "list", () -> Optional.of(texts.get(texts.size() - 1)))) {
      assertThat(feed).isNotNull();
      assertThat(permits(one)).isEqualTo(2);
      texts.add(text(3));
      await().until(() -> permits(one) == 3);
    }
  }

  @Test
  void rulesThatTheSourceHasLostStayAndAreWrittenAnewUntilAnEmptyTextWithdrawsThem() {
    List<Optional<String>> texts = new ArrayList<>(List.of(Optional.of(text(2))));
    List<String> writtenAnew = new ArrayList<>();
    RuleFeed feed = new RuleFeed(one, "list", () -> texts.get(texts.size() - 1), writtenAnew::add);
    feed.refresh();
    texts.add(Optional.of("rules: []"));
    feed.refresh();
    texts.add(Optional.empty());
    feed.refresh();
    feed.refresh();
    assertThat(permits(one)).isEqualTo(2);
    assertThat(writtenAnew).containsExactly(text(2), text(2));

    texts.add(Optional.of(""));
    feed.refresh();
    assertThat(permits(one)).as("withdrawn").isEqualTo(1);
    texts.add(Optional.empty());
    feed.refresh();
    assertThat(writtenAnew).hasSize(2);
  }

  private static RuleFeed feed(LiveRules rules, RedisStore store) {
    return new RuleFeed(rules, "redis", source(store), lost -> {});
  }

  private void listen(LiveRules rules) {
    rules.listen(
        new RuleListener() {
          @Override
          public void refused(InvalidRulesException why) {
            refused.add(why.getMessage());
          }
        });
  }

  private static Callable<Optional<String>> source(RedisStore store) {
    return () -> store.texts().get("rules").toCompletableFuture().get();
  }

  private static String text(int permits) {
    return "rules: [{name: r, limits: [{name: n, key: ip, limit: " + permits + " per day}]}]";
  }

  private static RuleSet rules(int permits) {
    return limit("key: ip, limit: " + permits + " per day");
  }

  private static long permits(LiveRules rules) {
    return claim(rules.get(), "ip=a").policy().limit().permits();
  }
}
