package dev.weir.redis.internal.diagnosis;

import static dev.weir.redis.RedisDiagnosis.Severity.FAILURE;
import static dev.weir.redis.RedisDiagnosis.Severity.OK;
import static dev.weir.redis.RedisDiagnosis.Severity.UNKNOWN;
import static dev.weir.redis.RedisDiagnosis.Severity.WARNING;

import dev.weir.redis.internal.protocol.Failures;
import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.redis.internal.script.Script;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Tests what decisions need: scripts, the commands inside them, the clock, and the time of a call.
 */
final class ScriptFindings {
  private static final Script DIAGNOSE = Script.load("diagnose.lua");
  private static final Script CLOCK = Script.load("clock.lua");
  private static final int CALLS = 10;

  /** Half of the deadline that a decision has by default. */
  private static final double SLOW_MILLIS = 25;

  private static final double WRONG_CLOCK_MILLIS = 1000;

  private final RedisCommands<String, String> commands;
  private final KeyNames names;
  private final String key;
  private final FindingList findings;

  /**
   * @param tag puts the keys of the diagnosis on this server of a Cluster
   */
  ScriptFindings(
      RedisCommands<String, String> commands, KeyNames names, String tag, FindingList findings) {
    this.commands = commands;
    this.names = names;
    this.key = names.prefix() + tag + "}doctor";
    this.findings = findings;
  }

  void addAll() {
    Reply<String> loaded = Reply.of(() -> commands.scriptLoad(DIAGNOSE.text()));
    if (loaded.value() == null) {
      findings.add(FAILURE, "scripts", "SCRIPT LOAD is refused: " + explain(loaded.error()));
      return;
    }
    Reply<List<String>> tried = call(DIAGNOSE, key, key + "-log");
    List<String> refused = tried.value();
    if (refused == null) {
      findings.add(FAILURE, "scripts", "EVALSHA is refused: " + explain(tried.error()));
      return;
    }
    findings.add(OK, "scripts", "SCRIPT LOAD and EVALSHA work");
    access(refused);
    timing();
  }

  private Reply<List<String>> call(Script script, String... keys) {
    return Reply.of(() -> commands.evalsha(script.sha(), ScriptOutputType.MULTI, keys));
  }

  private void access(List<String> refused) {
    if (refused.isEmpty()) {
      findings.add(OK, "access", user() + " may run every command that the scripts use");
      return;
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < refused.size(); i += 2) {
      names.add(refused.get(i));
    }
    findings.add(
        FAILURE,
        "access",
        "refused inside scripts: " + String.join(", ", names) + ": " + explain(refused.get(1)));
  }

  private String user() {
    String name = Reply.of(commands::aclWhoami).value();
    return name == null ? "this user" : "user " + name;
  }

  private String explain(String error) {
    if (error.contains("unknown command")) {
      return error + ". Scripts are switched off on this server, and decisions need them";
    }
    return Reply.isAccessError(error)
        ? error + ". This access rule is enough: " + Failures.accessRule(names)
        : error;
  }

  /** Makes as many untimed calls first, because the first calls would measure a cold JVM. */
  private void timing() {
    if (Reply.of(() -> commands.scriptLoad(CLOCK.text())).value() == null) {
      findings.add(UNKNOWN, "latency", "the server refused a second script");
      return;
    }
    List<TimedCall> calls = new ArrayList<>();
    for (int i = 0; i < 2 * CALLS; i++) {
      long wallMicros = System.currentTimeMillis() * 1000;
      long start = System.nanoTime();
      Reply<List<String>> reply = call(CLOCK, key);
      double millis = (System.nanoTime() - start) / 1e6;
      if (reply.value() == null) {
        findings.add(FAILURE, "clock", "TIME inside a script is refused: " + reply.error());
        return;
      }
      if (i >= CALLS) {
        calls.add(TimedCall.of(reply.value(), wallMicros, millis));
      }
    }
    clock(calls);
    latency(calls);
  }

  /** Uses the fastest call: the server read its clock at some time while it was under way. */
  private void clock(List<TimedCall> calls) {
    TimedCall fastest = calls.stream().min(TimedCall.BY_DURATION).orElseThrow();
    boolean differs = Math.abs(fastest.aheadMillis()) > WRONG_CLOCK_MILLIS + fastest.millis();
    findings.add(
        differs ? WARNING : OK,
        "clock",
        String.format(
            Locale.ROOT,
            "%.0f ms %s this machine's, give or take %.0f ms%s",
            Math.abs(fastest.aheadMillis()),
            fastest.aheadMillis() < 0 ? "behind" : "ahead of",
            Math.ceil(fastest.millis() / 2) + 1,
            differs ? "; limits follow the server's clock: check which one is right" : ""));
  }

  private void latency(List<TimedCall> calls) {
    List<TimedCall> sorted = calls.stream().sorted(TimedCall.BY_DURATION).toList();
    double median = sorted.get(CALLS / 2).millis();
    findings.add(
        median > SLOW_MILLIS ? WARNING : OK,
        "latency",
        String.format(
            Locale.ROOT,
            "%d script calls: fastest %.1f ms, median %.1f ms, slowest %.1f ms%s",
            CALLS,
            sorted.get(0).millis(),
            median,
            sorted.get(CALLS - 1).millis(),
            median > SLOW_MILLIS ? "; the deadline of a decision is 50 ms unless raised" : ""));
  }
}
