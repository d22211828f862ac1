package dev.weir.cli.ruletest;

import dev.weir.cli.simulate.input.LoggedRequest;
import dev.weir.http.RequestAttributes;
import dev.weir.internal.text.PrintableText;
import dev.weir.rules.internal.yaml.SourcePosition;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One request of a test, or several equal ones.
 *
 * @param atMicros of the first of them, since the start of the test
 * @param given the attributes as they are written
 * @param read the attributes as the service has them
 * @param times 1 or more
 * @param everyMicros the time between two of them
 */
record TestStep(
    SourcePosition at,
    long atMicros,
    Map<String, String> given,
    RequestAttributes read,
    long permits,
    int times,
    long everyMicros,
    ExpectedAnswer expected) {

  long lastMicros() {
    return atMicros + (times - 1) * everyMicros;
  }

  LoggedRequest request(long startMicros, int index) {
    return new LoggedRequest(
        startMicros + atMicros + index * everyMicros,
        read.values(),
        read.otherPaths(),
        permits,
        null);
  }

  /** The request on one line: {@code ip=192.0.2.1 path=/login}. */
  String text() {
    String attributes =
        new TreeMap<>(given)
            .entrySet().stream()
                .map(entry -> entry.getKey() + "=" + PrintableText.shortened(entry.getValue()))
                .collect(Collectors.joining(" "));
    return permits == 1 ? attributes : attributes + " (" + permits + " permits)";
  }
}
