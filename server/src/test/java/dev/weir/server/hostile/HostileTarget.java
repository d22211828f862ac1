package dev.weir.server.hostile;

import dev.weir.server.EnvoyOptions;
import dev.weir.server.RunningService;
import dev.weir.server.ServerOptions;
import dev.weir.server.WeirServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The service as a process of its own, for attacks on it; says its ports and waits to be ended. */
final class HostileTarget {
  private HostileTarget() {}

  public static void main(String[] arguments) throws InterruptedException {
    ServerOptions options =
        new ServerOptions()
            .host("127.0.0.1")
            .port(0)
            .adminPort(0)
            .envoy(new EnvoyOptions().grpcPort(0))
            .adminToken(RunningService.TOKEN)
            .drain(Duration.ZERO)
            .config(List.of(Path.of(arguments[0])));
    if (arguments.length > 1) {
      options.tls(new ServerOptions.Tls(Path.of(arguments[1]), Path.of(arguments[2])));
    }
    WeirServer server = WeirServer.start(options);
    System.out.println(
        server.port() + " " + server.adminPort() + " " + server.grpcPort().getAsInt());
    Thread.currentThread().join();
  }
}
