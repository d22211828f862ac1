package dev.weir.cli.simulate.input;

import java.util.Map;

/**
 * What a line of a log says, before it is read as a request.
 *
 * @param atMicros since 1970
 * @param attributes as written; may be added to
 * @param permits what it costs; 0 asks without taking
 * @param ofServer whether a server wrote it, in a field for the client's address too
 */
record LogLine(long atMicros, Map<String, String> attributes, long permits, boolean ofServer) {
  /** Of a server's log. */
  LogLine(long atMicros, Map<String, String> attributes) {
    this(atMicros, attributes, 1, true);
  }
}
