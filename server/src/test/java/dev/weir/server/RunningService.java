package dev.weir.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A service on a free port with rules of the test's own. */
public final class RunningService implements AutoCloseable {
  public static final String TOKEN = "open-sesame-open-sesame";
  public static final String[] ADMIN = {"Authorization", "Bearer " + TOKEN};

  /** Small numbers that do not come back within a test. */
  public static final String RULES =
      """
      rules:
        - name: api
          when: {path: /api/**}
          limits:
            - {name: user-hour, key: user, limit: 3 per hour, algorithm: fixed-window}
            - {name: all-hour, key: [], limit: 1000 per hour, algorithm: fixed-window}
        - name: strict
          when: {path: /strict}
          limits:
            - {name: per-user, key: user, limit: 2 per hour, algorithm: fixed-window}
          on-store-failure: deny
        - name: watched
          when: {path: /watched}
          limits:
            - {name: shadowed, key: user, limit: 1 per hour, algorithm: fixed-window}
          mode: shadow
      """;

  public final WeirServer server;
  public final Http http;

  private RunningService(ServerOptions options) {
    server = WeirServer.start(options);
    http = new Http(server.port());
  }

  public static RunningService start(Path directory) {
    return start(options(directory));
  }

  public static RunningService start(ServerOptions options) {
    return new RunningService(options);
  }

  public static ServerOptions options(Path directory) {
    return new ServerOptions()
        .host("127.0.0.1")
        .port(0)
        .drain(Duration.ZERO)
        .adminToken(TOKEN)
        .config(List.of(rules(directory, RULES)));
  }

  public static Path rules(Path directory, String yaml) {
    try {
      return Files.writeString(directory.resolve("rules.yaml"), yaml);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
