package dev.weir.benchmarks.soak;

import dev.weir.benchmarks.service.Serving;
import dev.weir.server.ServerOptions;
import dev.weir.server.WeirServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** One instance of the service in a JVM of its own, given the address of Redis and its rules. */
final class SoakedMain {
  static final String TOKEN = "soak-administrator";
  static final Duration DEADLINE = Duration.ofMillis(100);

  private SoakedMain() {}

  public static void main(String[] arguments) throws IOException {
    ServerOptions options =
        new ServerOptions()
            .host("127.0.0.1")
            .port(0)
            .drain(Duration.ZERO)
            .store(arguments[0])
            .config(List.of(Path.of(arguments[1])))
            .instances(SoakRules.INSTANCES)
            .deadline(DEADLINE)
            .adminToken(TOKEN);
    Serving.untilInputEnds(() -> WeirServer.start(options).port());
  }
}
