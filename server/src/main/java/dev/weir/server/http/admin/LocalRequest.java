package dev.weir.server.http.admin;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
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
    return objection(
        request.headers(), request.authority() == null ? null : request.authority().host());
  }

  private static Optional<String> objection(MultiMap fields, @Nullable String host) {
    for (String name : fields.names()) {
      if (FORWARDING_FIELD.matcher(name.toLowerCase(Locale.ROOT)).matches()) {
        return Optional.of("it was forwarded by a proxy, as the field " + name + " shows");
      }
    }
    if (host == null || !isLocalName(host)) {
      return Optional.of("its Host is not localhost");
    }
    String site = fields.get("Sec-Fetch-Site");
    if (site != null && !LOCAL_SITES.contains(site)) {
      return Optional.of("a page of another site made it");
    }
    return fields.getAll("Origin").stream().allMatch(LocalRequest::isLocalOrigin)
        ? Optional.empty()
        : Optional.of("its Origin is not localhost");
  }

  private static boolean isLocalOrigin(String origin) {
    try {
      String host = new URI(origin).getHost();
      return host != null && isLocalName(host);
    } catch (URISyntaxException malformed) {
      return false;
    }
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
