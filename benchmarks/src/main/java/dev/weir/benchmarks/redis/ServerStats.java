package dev.weir.benchmarks.redis;

import dev.weir.testkit.RedisProcess;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the server has done since its counters were reset, or since it started.
 *
 * @param scriptCalls times a script was called
 * @param scriptMicros time in scripts, with the commands they call
 * @param cpuMicros processor time of the whole server, with reading and writing sockets
 */
record ServerStats(long scriptCalls, long scriptMicros, double cpuMicros) {
  private static final Pattern SCRIPT =
      Pattern.compile("cmdstat_(?:evalsha|eval):calls=(\\d+),usec=(\\d+)");
  private static final Pattern CPU = Pattern.compile("used_cpu_(?:sys|user):([0-9.]+)");

  /** Processor time goes on from here; all else begins again. */
  static ServerStats reset(RedisProcess redis) {
    redis.command("CONFIG", "RESETSTAT");
    return now(redis);
  }

  static ServerStats now(RedisProcess redis) {
    return parse(redis.command("INFO", "commandstats") + redis.command("INFO", "cpu"));
  }

  static ServerStats parse(String info) {
    long calls = 0;
    long micros = 0;
    for (Matcher script = SCRIPT.matcher(info); script.find(); ) {
      calls += Long.parseLong(script.group(1));
      micros += Long.parseLong(script.group(2));
    }
    double seconds = 0;
    for (Matcher cpu = CPU.matcher(info); cpu.find(); ) {
      seconds += Double.parseDouble(cpu.group(1));
    }
    return new ServerStats(calls, micros, seconds * 1e6);
  }

  ServerStats since(ServerStats earlier) {
    return new ServerStats(
        scriptCalls - earlier.scriptCalls,
        scriptMicros - earlier.scriptMicros,
        cpuMicros - earlier.cpuMicros);
  }
}
