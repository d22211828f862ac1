package dev.weir.http;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The attributes of a request, in the form that rules expect, wherever the text comes from: the
 * body of a call, the fields of a proxy, the command line, a log. Immutable.
 *
 * <ul>
 *   <li>{@code path}: as {@link RequestPath} reads it
 *   <li>{@code ip}: as {@link ClientAddress#canonical} writes it; text that is no address stays
 *   <li>{@code method}: in capitals
 *   <li>all others as they are
 * </ul>
 *
 * @param values by name
 * @param otherPaths other readings of the path: rules that match any of them apply as well
 */
public record RequestAttributes(Map<String, String> values, List<String> otherPaths) {
  public static final String PATH = "path";
  public static final String IP = "ip";
  public static final String METHOD = "method";

  public RequestAttributes {
    otherPaths = List.copyOf(otherPaths);
  }

  /**
   * Reads attributes as they were given.
   *
   * @param addresses how many bits of an IPv6 address are one client
   * @throws AmbiguousPathException if the path cannot be read for sure
   */
  public static RequestAttributes read(Map<String, String> given, ClientAddress addresses) {
    Map<String, String> values = new HashMap<>(given);
    values.computeIfPresent(IP, (name, text) -> addresses.canonical(text).orElse(text));
    values.computeIfPresent(METHOD, (name, text) -> method(text));
    String target = values.get(PATH);
    if (target == null) {
      return new RequestAttributes(values, List.of());
    }
    RequestPath path = RequestPath.of(target);
    values.put(PATH, path.text());
    return new RequestAttributes(values, path.otherReadings());
  }

  /** In capitals: {@code post} reaches the handler of {@code POST} in many applications. */
  public static String method(String text) {
    return text.toUpperCase(Locale.ROOT);
  }
}
