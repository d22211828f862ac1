package dev.weir.redis.internal.diagnosis;

import static dev.weir.redis.RedisDiagnosis.Severity.FAILURE;
import static dev.weir.redis.RedisDiagnosis.Severity.OK;
import static dev.weir.redis.RedisDiagnosis.Severity.UNKNOWN;
import static dev.weir.redis.RedisDiagnosis.Severity.WARNING;

import dev.weir.redis.RedisDiagnosis.Severity;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Findings from INFO of a server: version, role, eviction, memory, persistence. */
final class ServerFindings {
  private static final Pattern VERSION = Pattern.compile("(\\d{1,6})\\.(\\d{1,6}).*");
  private static final int OLDEST = 6_002;
  private static final long NEARLY_FULL_PERCENT = 90;
  private static final long MEBIBYTE = 1L << 20;

  private final ServerInfo info;
  private final FindingList findings;

  ServerFindings(ServerInfo info, FindingList findings) {
    this.info = info;
    this.findings = findings;
  }

  /**
   * @param saving when snapshots are made, if the server says so
   */
  void addAll(Optional<String> saving) {
    version();
    role();
    eviction();
    memory();
    persistence(saving);
  }

  private void version() {
    Optional<String> valkey = info.text("valkey_version");
    Optional<String> version = valkey.or(() -> info.text("redis_version"));
    if (version.isEmpty()) {
      findings.add(UNKNOWN, "version", "the server does not say; 6.2 or newer is needed");
      return;
    }
    String name = (valkey.isPresent() ? "Valkey " : "Redis ") + version.get();
    Matcher parts = VERSION.matcher(version.get());
    boolean tooOld =
        parts.matches()
            && Integer.parseInt(parts.group(1)) * 1000 + Integer.parseInt(parts.group(2)) < OLDEST;
    findings.add(tooOld ? FAILURE : OK, "version", name + (tooOld ? "; must be 6.2 or newer" : ""));
  }

  private void role() {
    Optional<String> role = info.text("role");
    if (role.isEmpty()) {
      findings.add(UNKNOWN, "role", "the server does not say whether it is a master");
    } else if (role.get().equals("master")) {
      long replicas = info.number("connected_slaves").orElse(0);
      findings.add(OK, "role", "master, " + count(replicas, "replica") + " connected");
    } else {
      findings.add(FAILURE, "role", "a replica, which cannot count; use the address of its master");
    }
  }

  private void eviction() {
    Optional<String> policy = info.text("maxmemory_policy");
    if (policy.isEmpty()) {
      findings.add(UNKNOWN, "eviction", "the server does not say; it must be noeviction");
    } else if (policy.get().equals("noeviction")) {
      findings.add(OK, "eviction", "maxmemory-policy noeviction");
    } else {
      boolean bounded = info.number("maxmemory").orElse(1) > 0;
      findings.add(
          bounded ? FAILURE : WARNING,
          "eviction",
          "maxmemory-policy "
              + policy.get()
              + (bounded ? "" : ", though without maxmemory")
              + ": when memory is short, counters are evicted and their keys have all permits"
              + " again; set it to noeviction");
    }
  }

  private void memory() {
    long used = info.number("used_memory").orElse(0);
    long most = info.number("maxmemory").orElse(0);
    if (used == 0) {
      findings.add(UNKNOWN, "memory", "the server does not say how much is used");
    } else if (most == 0) {
      findings.add(OK, "memory", mebibytes(used) + " used, no maxmemory");
    } else {
      boolean nearlyFull = used * 100.0 / most >= NEARLY_FULL_PERCENT;
      findings.add(
          nearlyFull ? WARNING : OK,
          "memory",
          mebibytes(used)
              + " of "
              + mebibytes(most)
              + " used"
              + (nearlyFull ? "; a full server refuses to count: raise maxmemory" : ""));
    }
  }

  private void persistence(Optional<String> saving) {
    if (info.is("rdb_last_bgsave_status", "err") || info.is("aof_last_write_status", "err")) {
      findings.add(
          WARNING,
          "persistence",
          "the last save failed; the server may refuse to count (MISCONF) until one succeeds");
      return;
    }
    Optional<String> log = info.text("aof_enabled");
    if (log.isEmpty()) {
      findings.add(UNKNOWN, "persistence", "the server does not say");
      return;
    }
    boolean logged = log.get().equals("1");
    String snapshots =
        saving
            .map(times -> times.isBlank() ? "no snapshots" : "snapshots after " + times)
            .orElse("snapshots unknown");
    Severity severity = !logged && saving.isEmpty() ? UNKNOWN : OK;
    String effect =
        logged ? "" : "; after a restart each key may use its limit once more than it should";
    findings.add(
        severity, "persistence", (logged ? "append-only file, " : "") + snapshots + effect);
  }

  static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private static String mebibytes(long bytes) {
    return Math.max(1, bytes / MEBIBYTE) + " MiB";
  }
}
