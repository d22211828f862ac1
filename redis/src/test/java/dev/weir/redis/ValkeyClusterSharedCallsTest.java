package dev.weir.redis;

import dev.weir.testkit.ExternalPrograms;
import dev.weir.testkit.RedisBinary;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** Calls across hash slots of Valkey, where it is installed. */
@Tag("external")
final class ValkeyClusterSharedCallsTest extends SharedCallsContract {
  @Override
  Path server() {
    return ExternalPrograms.require(RedisBinary.valkey(), "valkey-server");
  }

  @Override
  String serverName() {
    return "Valkey";
  }
}
