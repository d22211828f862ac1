package dev.weir.http;

/**
 * The names of the fields and their parameters, which still change from draft to draft.
 *
 * @param policies the field that lists the limits
 * @param states the field that says how much of them is left
 * @param quota parameter: the N of "N per period"
 * @param unit parameter: what is counted, if that is not requests over time
 * @param window parameter: the period
 * @param remaining parameter: permits left
 * @param until parameter: seconds until there are more
 */
record RateLimitFieldNames(
    String policies,
    String states,
    String quota,
    String unit,
    String window,
    String remaining,
    String until) {

  /** draft-ietf-httpapi-ratelimit-headers-11. */
  static final RateLimitFieldNames DRAFT_11 =
      new RateLimitFieldNames("RateLimit-Policy", "RateLimit", "q", "qu", "w", "r", "t");
}
