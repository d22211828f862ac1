package dev.weir.redis.internal.connection;

import dev.weir.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks a server when a connection to it is made, and loads the scripts. */
final class ServerCheck {
  private static final Pattern VERSION = Pattern.compile("redis_version:(\\d+)\\.(\\d+)\\S*");
  private static final Pattern POLICY = Pattern.compile("maxmemory_policy:(\\S+)");
  private static final int OLDEST_MAJOR = 6;
  private static final int OLDEST_MINOR = 2;

  private ServerCheck() {}

  /** Completes with warnings for an operator; fails if the server cannot be used. */
  static CompletableFuture<List<String>> of(
      LiveConnection connection, List<String> scripts, Duration timeout) {
    CompletableFuture<List<String>> checked =
        connection.call(commands -> commands.info(), timeout).thenApply(ServerCheck::read);
    for (String script : scripts) {
      checked =
          checked.thenCombine(
              connection.call(commands -> commands.scriptLoad(script), timeout),
              (found, sha) -> found);
    }
    return checked;
  }

  private static List<String> read(String info) {
    refuseTooOld(info);
    List<String> warnings = new ArrayList<>();
    Matcher policy = POLICY.matcher(info);
    if (policy.find() && !policy.group(1).equals("noeviction")) {
      warnings.add(
          "Redis has maxmemory-policy "
              + policy.group(1)
              + ": when memory is short it may evict counters, and their keys then have all"
              + " permits again; set it to noeviction");
    }
    return List.copyOf(warnings);
  }

  private static void refuseTooOld(String info) {
    Matcher version = VERSION.matcher(info);
    if (!version.find()) {
      return; // a server that hides its version is accepted
    }
    int major = Integer.parseInt(version.group(1));
    int minor = Integer.parseInt(version.group(2));
    if (major < OLDEST_MAJOR || major == OLDEST_MAJOR && minor < OLDEST_MINOR) {
      throw new StoreUnavailableException(
          "Redis must be 6.2 or newer, was "
              + version.group(0).substring("redis_version:".length()));
    }
  }
}
