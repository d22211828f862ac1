package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.Effort;
import dev.weir.benchmarks.Progress;
import dev.weir.testkit.RedisBinary;
import dev.weir.testkit.RedisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The program over Redis: starts a server of its own, measures, draws and writes. */
public final class RedisBenchmarks {
  private RedisBenchmarks() {}

  /** Measures everything and draws the plots; returns the tables. */
  public static String measure(Effort effort, Path images, boolean terminal)
      throws IOException, InterruptedException {
    Pace pace = Pace.of(effort);
    Progress progress =
        new Progress(System.out, terminal, RedisRounds.steps(pace), System::nanoTime);
    // The installed one is newer than the embedded, and nearer to what is run in earnest.
    Path binary = RedisBinary.installed().orElseGet(RedisBinary::embedded);
    boolean installed = RedisBinary.installed().isPresent();
    try (RedisProcess redis = RedisProcess.start(binary)) {
      String server = server(redis, installed);
      RedisMeasurements measured = new RedisRounds(redis, pace, progress).run();
      draw(measured, images);
      return new RedisReport(measured).render(pace, server);
    }
  }

  private static void draw(RedisMeasurements measured, Path images) throws IOException {
    Files.createDirectories(images);
    for (Map.Entry<String, String> plot : new RedisPlots(measured).all().entrySet()) {
      Files.writeString(images.resolve(plot.getKey()), plot.getValue());
    }
  }

  private static String server(RedisProcess redis, boolean installed) {
    String version =
        redis
            .command("INFO", "server")
            .lines()
            .filter(line -> line.startsWith("redis_version:"))
            .map(line -> line.substring("redis_version:".length()).strip())
            .findFirst()
            .orElse("of unknown version");
    return "Redis %s (%s), on the same machine over loopback, nothing kept on disk"
        .formatted(version, installed ? "the one installed" : "embedded");
  }
}
