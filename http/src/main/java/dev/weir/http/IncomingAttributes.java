package dev.weir.http;

import dev.weir.rules.Attributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of an incoming request, normalised, each looked up when a rule asks for it: {@code
 * ip}, {@code method}, {@code path}, {@code host}, {@code user}, {@code header.<name>}, and those
 * of the application. Used by one thread.
 */
final class IncomingAttributes implements Attributes {
  private static final String HEADER = "header.";

  private final IncomingRequest request;
  private final ClientAddress clientAddress;
  private final RequestPath path;
  private @Nullable String address;

  /**
   * @throws AmbiguousPathException if the path cannot be read for sure
   */
  IncomingAttributes(IncomingRequest request, ClientAddress clientAddress) {
    this.request = request;
    this.clientAddress = clientAddress;
    this.path = RequestPath.of(request.target());
  }

  @Override
  public @Nullable String get(String name) {
    return switch (name) {
      case RequestAttributes.IP -> address();
      case RequestAttributes.METHOD -> RequestAttributes.method(request.method());
      case RequestAttributes.PATH -> path.text();
      case RequestAttributes.USER -> given(name, request.user());
      case "host" -> given(name, field("Host"));
      default ->
          given(name, name.startsWith(HEADER) ? field(name.substring(HEADER.length())) : null);
    };
  }

  @Override
  public List<String> otherPaths() {
    return path.otherReadings();
  }

  /** Looked up once: several limits of one request ask for it. */
  private String address() {
    String known = address;
    if (known == null) {
      known = clientAddress.resolve(request.peer(), request::headers);
      address = known;
    }
    return known;
  }

  private @Nullable String given(String name, @Nullable String otherwise) {
    String given = request.attribute(name);
    return given == null ? otherwise : given;
  }

  private @Nullable String field(String name) {
    List<String> values = request.headers(name);
    return switch (values.size()) {
      case 0 -> null;
      case 1 -> values.get(0);
      default -> String.join(", ", values);
    };
  }
}
