package dev.weir.server.http.admin;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether a request was made by a program on this machine, directly: not through a proxy, whose
 * address would be local for everybody, and not by a page of another site in a browser on this
 * machine, not even by DNS rebinding.
 */
final class LocalRequest {
  private static final Pattern FORWARDING_FIELD =
      Pattern.compile(
          "forwarded|via|x-forwarded(-.*)?|x-original-.*|x-real-ip|x-client-ip|x-cluster-client-ip"
              + "|true-client-ip|cf-connecting-ip|x-envoy-.*|x-proxyuser-ip");
  private static final List<String> LOCAL_SITES = List.of("same-origin", "none");

  private LocalRequest() {}

  /** Why the request does not count as local; empty if it does. */
  static Optional<String> objection(HttpServerRequest request) {
    if (!isLoopback(request.remoteAddress().hostAddress())) {
      return Optional.of("it comes from another machine");
    }
    return objection(request.headers(), request.scheme(), request.authority());
  }

  private static Optional<String> objection(
      MultiMap fields, String scheme, @Nullable HostAndPort asked) {
    for (String name : fields.names()) {
      if (FORWARDING_FIELD.matcher(name.toLowerCase(Locale.ROOT)).matches()) {
        return Optional.of("it was forwarded by a proxy, as the field " + name + " shows");
      }
    }
    if (asked == null || !isLocalName(asked.host())) {
      return Optional.of("its Host is not localhost");
    }
    String site = fields.get("Sec-Fetch-Site");
    if (site != null && !LOCAL_SITES.contains(site)) {
      return Optional.of("a page of another site made it");
    }
    return fields.getAll("Origin").stream().allMatch(origin -> isOrigin(origin, scheme, asked))
        ? Optional.empty()
        : Optional.of("its Origin is another than its Host");
  }

  /** Another port of this machine is another origin, with pages of somebody else. */
  private static boolean isOrigin(String origin, String scheme, HostAndPort asked) {
    try {
      URI uri = new URI(origin);
      return scheme.equalsIgnoreCase(uri.getScheme())
          && asked.host().equalsIgnoreCase(uri.getHost())
          && port(uri.getPort(), scheme) == port(asked.port(), scheme);
    } catch (URISyntaxException malformed) {
      return false;
    }
  }

  private static int port(int given, String scheme) {
    int usual = scheme.equals("https") ? 443 : 80;
    return given < 0 ? usual : given;
  }

  private static boolean isLocalName(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    return name.equals("localhost")
        || name.equals("[::1]")
        || name.equals("::1")
        || name.matches("127(\\.[0-9]{1,3}){3}");
  }

  private static boolean isLoopback(@Nullable String address) {
    try {
      return address != null && InetAddress.getByName(address).isLoopbackAddress();
    } catch (UnknownHostException impossible) { // digits are not looked up
      return false;
    }
  }
}
