package dev.weir.server.dashboard;

/** What became of a decision, as the dashboard counts it. */
enum TrafficKind {
  ALLOWED,
  DENIED,

  /** Allowed, and a shadow limit would have denied it; counted as allowed, too. */
  SHADOW_DENIED,

  /** A failure policy answered in the place of the store; counted as allowed or denied, too. */
  FALLBACK;

  static final int COUNT = values().length;
}
