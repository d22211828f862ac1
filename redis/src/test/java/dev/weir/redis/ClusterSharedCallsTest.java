package dev.weir.redis;

import dev.weir.testkit.RedisBinary;
import java.nio.file.Path;

/** Calls across hash slots of Redis 6.2. */
final class ClusterSharedCallsTest extends SharedCallsContract {
  @Override
  Path server() {
    return RedisBinary.embedded();
  }

  @Override
  String serverName() {
    return "Redis 6.2";
  }
}
