package dev.weir.server.http.decision;

import dev.weir.http.ClientAddress;
import dev.weir.http.RequestPath;
import dev.weir.rules.Attributes;
import dev.weir.server.http.BadRequestException;
import dev.weir.server.service.LogSafeText;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request that a proxy asks about, as attributes: {@code ip}, {@code method}, {@code path},
 * {@code host}, {@code header.<name>}, and whatever the proxy put into the query of its own
 * question, which comes first.
 *
 * <p>Traefik and Caddy say {@code X-Forwarded-Method} and {@code -Uri}; nginx is mostly told to say
 * {@code X-Original-...}. A proxy that writes one of them lets the other through as a client sent
 * it, so if both are there and differ, somebody lies, and the question is refused. The same goes
 * for a field that is there twice, from a proxy that adds where it should replace.
 */
final class ForwardedRequest implements Attributes {
  private static final String HEADER = "header.";

  private final HttpServerRequest request;
  private final MultiMap query;
  private final ClientAddress clientAddress;
  private final @Nullable String method;
  private final @Nullable String path;

  ForwardedRequest(HttpServerRequest request, MultiMap query, ClientAddress clientAddress) {
    this.request = request;
    this.query = query;
    this.clientAddress = clientAddress;
    this.method = header("X-Forwarded-Method", "X-Original-Method");
    String target = header("X-Forwarded-Uri", "X-Original-URI");
    this.path = target == null ? null : RequestPath.normalise(target);
  }

  @Override
  public @Nullable String get(String name) {
    String given = query.get(name);
    if (given != null) {
      return given;
    }
    return switch (name) {
      case "ip" -> clientAddress.resolve(peer(), this::headers);
      case "method" -> method;
      case "path" -> path;
      case "host" -> header("X-Forwarded-Host", "X-Original-Host");
      default -> name.startsWith(HEADER) ? joined(headers(name.substring(HEADER.length()))) : null;
    };
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
            + LogSafeText.text(one)
            + " and "
            + LogSafeText.text(other));
  }
}
