package dev.weir.cli.simulate.input;

import java.util.Map;

/**
 * What a line of a log says, before it is read as a request.
 *
 * @param atMicros since 1970
 * @param attributes as written; may be added to
 * @param permits what it costs; 0 asks without taking
 */
record LogLine(long atMicros, Map<String, String> attributes, long permits) {}
