package dev.weir.cli.simulate;

import java.util.Map;

/**
 * One request of a log.
 *
 * @param atMicros since 1970
 * @param permits what it costs; 0 asks without taking
 */
record LogLine(long atMicros, Map<String, String> attributes, long permits) {}
