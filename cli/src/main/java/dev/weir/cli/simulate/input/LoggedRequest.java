package dev.weir.cli.simulate.input;

import java.util.Map;

/**
 * One request of a log.
 *
 * @param atMicros since 1970
 * @param attributes may be added to by whoever reads the line
 * @param permits what it costs; 0 asks without taking
 */
public record LoggedRequest(long atMicros, Map<String, String> attributes, long permits) {}
