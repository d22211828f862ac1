package dev.weir.server.http.decision;

import static dev.weir.http.RequestAttributes.IP;
import static dev.weir.http.RequestAttributes.METHOD;
import static dev.weir.http.RequestAttributes.PATH;

import dev.weir.http.AmbiguousPathException;
import dev.weir.http.ClientAddress;
import dev.weir.http.RequestAttributes;
import dev.weir.internal.text.PrintableText;
import dev.weir.rules.Attributes;
import dev.weir.server.http.BadRequestException;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The request that a proxy asks about, as attributes: {@code ip}, {@code method}, {@code path},
 * {@code host}, {@code header.<name>}, and the query parameters that the proxy has set, which take
 * precedence.
 *
 * <p>Traefik and Caddy send {@code X-Forwarded-Method} and {@code -Uri}; nginx is usually
 * configured to send {@code X-Original-...}. A proxy that sets one of them passes the other on as
 * the client sent it, so if both are present and differ, the request is refused. The same goes for
 * a field that is present twice, from a proxy that adds where it should replace.
 */
final class ForwardedRequest implements Attributes {
  private static final String HEADER = "header.";

  private final HttpServerRequest request;
  private final MultiMap query;
  private final ClientAddress clientAddress;
  private final RequestAttributes read;

  /**
   * @throws BadRequestException if fields contradict each other or the path cannot be read for sure
   */
  ForwardedRequest(HttpServerRequest request, MultiMap query, ClientAddress clientAddress) {
    this.request = request;
    this.query = query;
    this.clientAddress = clientAddress;
    this.read = read();
  }

  private RequestAttributes read() {
    Map<String, String> sent = new HashMap<>();
    put(sent, METHOD, given(METHOD, header("X-Forwarded-Method", "X-Original-Method")));
    put(sent, PATH, given(PATH, header("X-Forwarded-Uri", "X-Original-URI")));
    put(sent, IP, query.get(IP));
    try {
      return RequestAttributes.read(sent, clientAddress);
    } catch (AmbiguousPathException ambiguous) {
      throw new BadRequestException(ambiguous.getMessage());
    }
  }

  private static void put(Map<String, String> attributes, String name, @Nullable String value) {
    if (value != null) {
      attributes.put(name, value);
    }
  }

  /** What the proxy put into its query comes before what the fields say. */
  private @Nullable String given(String name, @Nullable String otherwise) {
    String given = query.get(name);
    return given == null ? otherwise : given;
  }

  @Override
  public @Nullable String get(String name) {
    return switch (name) {
      case IP -> address();
      case METHOD, PATH -> read.values().get(name);
      case "host" -> given(name, header("X-Forwarded-Host", "X-Original-Host"));
      default -> given(name, field(name));
    };
  }

  @Override
  public List<String> otherPaths() {
    return read.otherPaths();
  }

  private String address() {
    String given = read.values().get(IP);
    return given == null ? clientAddress.resolve(peer(), this::headers) : given;
  }

  private @Nullable String field(String name) {
    return name.startsWith(HEADER) ? joined(headers(name.substring(HEADER.length()))) : null;
  }

  private String peer() {
    String address = request.remoteAddress().hostAddress();
    return address == null ? ClientAddress.UNKNOWN : address;
  }

  private List<String> headers(String name) {
    return request.headers().getAll(name);
  }

  private static @Nullable String joined(List<String> values) {
    return values.isEmpty() ? null : String.join(", ", values);
  }

  private @Nullable String header(String forwarded, String original) {
    String said = null;
    for (String name : List.of(forwarded, original)) {
      for (String value : headers(name)) {
        if (said != null && !said.equals(value)) {
          throw contradiction(forwarded, original, said, value);
        }
        said = value;
      }
    }
    return said;
  }

  private static BadRequestException contradiction(
      String forwarded, String original, String one, String other) {
    return new BadRequestException(
        forwarded
            + " and "
            + original
            + " must be the same wherever given, were "
            + PrintableText.quoted(one)
            + " and "
            + PrintableText.quoted(other));
  }
}
