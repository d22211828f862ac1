package dev.weir.http;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The attributes of a request, in the form that rules expect, wherever the text comes from: the
 * body of a call, the fields of a proxy, the command line, a log. Immutable, as long as the map it
 * was made of is not changed: that map is not copied, because requests are read for every decision.
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
  public static final String USER = "user";

  public RequestAttributes {
    otherPaths = List.copyOf(otherPaths);
  }

  /**
   * Reads attributes as they were given.
   *
   * @param given must not change afterwards; copied only if something in it is to be changed
   * @param addresses how many bits of an IPv6 address are one client
   * @throws AmbiguousPathException if the path cannot be read for sure
   */
  public static RequestAttributes read(Map<String, String> given, ClientAddress addresses) {
    String address = given.get(IP);
    String method = given.get(METHOD);
    String target = given.get(PATH);
    RequestPath path = target == null ? null : RequestPath.of(target);
    Map<String, String> values = given;
    if (address != null) {
      values = with(values, given, IP, address, addresses.canonical(address).orElse(address));
    }
    if (method != null) {
      values = with(values, given, METHOD, method, method(method));
    }
    if (path == null) {
      return new RequestAttributes(values, List.of());
    }
    values = with(values, given, PATH, target, path.text());
    return new RequestAttributes(values, path.otherReadings());
  }

  /** The values with another text for a name; most requests are in the right form already. */
  private static Map<String, String> with(
      Map<String, String> values,
      Map<String, String> given,
      String name,
      String before,
      String after) {
    if (after.equals(before)) {
      return values;
    }
    Map<String, String> changed = values == given ? new HashMap<>(given) : values;
    changed.put(name, after);
    return changed;
  }

  /** In capitals: {@code post} reaches the handler of {@code POST} in many applications. */
  public static String method(String text) {
    return text.toUpperCase(Locale.ROOT);
  }
}
