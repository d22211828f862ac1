package dev.weir.server.hostile;

/**
 * What a well-behaved client and probes got while one attack ran.
 *
 * @param exact the client's decisions
 * @param shed the client's questions that were answered 503, because others held too much memory
 * @param cutOff those whose connection was closed
 * @param control answers that an equal client got from a server that nobody attacks
 * @param healthMillis the longest answer to a probe on the admin port
 * @param controlMillis the same of the server that nobody attacks
 */
record AttackPhase(
    String name,
    int exact,
    int shed,
    int cutOff,
    int control,
    double healthMillis,
    double controlMillis) {

  /** For people who compare runs. */
  String line() {
    return String.format(
        "%s: %d exact decisions, %d shed, %d cut off, %d of the control;"
            + " longest health %.0f ms, of the control %.0f ms%n",
        name, exact, shed, cutOff, control, healthMillis, controlMillis);
  }
}
