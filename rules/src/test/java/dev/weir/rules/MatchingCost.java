package dev.weir.rules;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * What it costs to find the claims of one request, by the number of rules. Not a test: run its main
 * method. The figures in docs/rules.md are from here.
 */
final class MatchingCost {
  private static final int[] SIZES = {10, 1_000, 10_000};
  private static final int REQUESTS = 1024;
  private static final int ROUNDS = 50;
  private static final int BATCHES = 20;

  /** Its own processor time, and the best of several batches: a busy machine changes little. */
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private MatchingCost() {}

  public static void main(String[] args) {
    System.out.println("rules that differ in        rules   ns/request   bytes/request   claims");
    for (int size : SIZES) {
      measure("exact path", size, i -> "path: /svc" + i % 100 + "/op" + i, i -> exact(i));
      measure("path prefix", size, i -> "path: /svc" + i + "/**", i -> prefix(i));
      measure("tenant, same path", size, i -> "path: /api/**, tenant: t" + i, i -> tenant(i));
      measure("path with a * segment", size, i -> "path: /t/*/op" + i, i -> middle(i));
    }
  }

  private static Map<String, String> exact(int i) {
    return Map.of("path", "/svc" + i % 100 + "/op" + i, "method", "GET", "user", "u-42");
  }

  private static Map<String, String> prefix(int i) {
    return Map.of("path", "/svc" + i + "/a/b", "method", "GET", "user", "u-42");
  }

  private static Map<String, String> tenant(int i) {
    return Map.of("path", "/api/a/b", "tenant", "t" + i, "user", "u-42");
  }

  private static Map<String, String> middle(int i) {
    return Map.of("path", "/t/x/op" + i, "method", "GET", "user", "u-42");
  }

  private static void measure(
      String what, int size, IntFunction<String> when, IntFunction<Map<String, String>> request) {
    List<String> conditions = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      conditions.add(when.apply(i));
    }
    RuleSet rules = Requests.rulesWhen(conditions);
    List<Attributes> requests = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      requests.add(Attributes.of(request.apply((int) ((long) i * size / REQUESTS))));
    }
    long claims = 0;
    long leastNanos = Long.MAX_VALUE;
    long leastBytes = Long.MAX_VALUE;
    for (int batch = 0; batch < BATCHES; batch++) {
      long bytes = THREADS.getCurrentThreadAllocatedBytes();
      long nanos = THREADS.getCurrentThreadCpuTime();
      claims = run(rules, requests);
      leastNanos = Math.min(leastNanos, THREADS.getCurrentThreadCpuTime() - nanos);
      leastBytes = Math.min(leastBytes, THREADS.getCurrentThreadAllocatedBytes() - bytes);
    }
    double count = (double) REQUESTS * ROUNDS;
    System.out.printf(
        "%-25s %7d %12.0f %15.0f %8.1f%n",
        what, size, leastNanos / count, leastBytes / count, claims / count);
  }

  private static long run(RuleSet rules, List<Attributes> requests) {
    long claims = 0;
    for (int round = 0; round < ROUNDS; round++) {
      for (Attributes request : requests) {
        claims += rules.claims(request).size();
      }
    }
    return claims;
  }
}
