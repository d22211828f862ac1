package dev.weir.redis;

import dev.weir.testkit.ExternalPrograms;
import dev.weir.testkit.RedisBinary;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** Calls across hash slots of the Redis server of this machine. */
@Tag("external")
final class InstalledClusterSharedCallsTest extends SharedCallsContract {
  @Override
  Path server() {
    return ExternalPrograms.require(RedisBinary.installed(), "redis-server");
  }

  @Override
  String serverName() {
    return "the installed Redis";
  }
}
