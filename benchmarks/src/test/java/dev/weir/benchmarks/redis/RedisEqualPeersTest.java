package dev.weir.benchmarks.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.benchmarks.redis.RedisReport.RedisEqualPeers;
import org.junit.jupiter.api.Test;

final class RedisEqualPeersTest {
  @Test
  void gapsThatProveNothingAreLevel() {
    assertThat(RedisEqualPeers.sentence("1 caller: Bucket4j", "decisions", 0.9))
        .isEqualTo("1 caller: Bucket4j is level with Weir in decisions (0.90 x)");
    assertThat(RedisEqualPeers.sentence("1 caller: Bucket4j", "decisions", 1.2))
        .isEqualTo("1 caller: Bucket4j is better than Weir in decisions (1.20 x)");
  }
}
