package dev.weir.benchmarks.soak;

/** The rules in two versions that differ in what is far from its limit, and in a faulty one. */
final class SoakRules {
  /** Permits of each limited kind per window. */
  static final long LIMIT = 100;

  /** Windows start at multiples of it since 1970. */
  static final long WINDOW_MILLIS = 2000;

  static final int INSTANCES = 2;

  /** Refused: there is no such algorithm. */
  static final String FAULTY = version(0).replace("algorithm: fixed-window", "algorithm: fixed");

  private SoakRules() {}

  static String version(int number) {
    return """
        rules:
          - name: allow
            when: {path: /allow}
            limits: [{name: all, key: [], limit: %1$d per %2$dms, algorithm: fixed-window}]
            on-store-failure: allow
          - name: deny
            when: {path: /deny}
            limits: [{name: all, key: [], limit: %1$d per %2$dms, algorithm: fixed-window}]
            on-store-failure: deny
          - name: local
            when: {path: /local}
            limits: [{name: all, key: [], limit: %1$d per %2$dms, algorithm: fixed-window}]
            on-store-failure: local
          - name: shadow
            when: {path: /shadow}
            limits: [{name: all, key: [], limit: %1$d per %2$dms, algorithm: fixed-window}]
            mode: shadow
          - name: fresh
            when: {path: /fresh}
            limits: [{name: user, key: user, limit: %3$d per second, algorithm: sliding-window}]
            on-store-failure: local
        """
        .formatted(LIMIT, WINDOW_MILLIS, 10 + number % 2);
  }
}
