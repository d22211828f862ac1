package dev.weir.cli.simulate.input;

import dev.weir.rules.Attributes;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request of a log, as the service would see it.
 *
 * @param atMicros since 1970
 * @param values attributes by name
 * @param otherPaths other readings of the path
 * @param permits what it costs; 0 asks without taking
 * @param unknownClient what a server's log has in the place of the client's address if that is
 *     none; such a request is not replayed
 */
public record LoggedRequest(
    long atMicros,
    Map<String, String> values,
    List<String> otherPaths,
    long permits,
    @Nullable String unknownClient) {
  public Attributes attributes() {
    return otherPaths.isEmpty() ? values::get : Attributes.of(values, otherPaths);
  }
}
