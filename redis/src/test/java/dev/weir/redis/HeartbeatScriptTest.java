package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.internal.script.ScriptExecutor;
import dev.weir.testkit.RedisServers;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What heartbeat.lua reports of an instance that leaves right after another one's heartbeat. */
final class HeartbeatScriptTest {
  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  @Test
  void whoLeavesRightAfterAHeartbeatIsReportedByTheNextAsAliveAtTheFirst() {
    try (ScriptExecutor executor =
        ScriptExecutor.open(RedisStore.builder(SERVERS.redis().uri()).settings(), null)) {
      for (int i = 0; i < 20; i++) {
        long joined = beat(executor, "leaves" + i, "0", "0").get(0);
        CompletionStage<List<Long>> asked = call(executor, "stays", "0", "0", "0");
        CompletionStage<List<Long>> left =
            call(executor, "leaves" + i, String.valueOf(joined), "1", "0");
        List<Long> first = asked.toCompletableFuture().join();
        left.toCompletableFuture().join();
        List<Long> second = beat(executor, "stays", "0", String.valueOf(first.get(0)));
        assertThat(first.get(1)).isEqualTo(2);
        assertThat(second).hasSize(4);
        assertThat(second.get(1)).isEqualTo(1);
        assertThat(second.get(2)).isEqualTo(joined);
        assertThat(second.get(3)).isGreaterThan(first.get(0));
      }
    }
  }

  private static List<Long> beat(ScriptExecutor executor, String id, String leaves, String last) {
    return call(executor, id, "0", leaves, last).toCompletableFuture().join();
  }

  private static CompletionStage<List<Long>> call(
      ScriptExecutor executor, String id, String joined, String leaves, String last) {
    return executor.heartbeat(List.of(id, joined, leaves, last, "20000", "600000"));
  }
}
