package dev.weir.spring;

import java.security.Principal;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpRequest;

/**
 * An attribute of requests that only the application knows, for rules and keys: {@code tenant},
 * {@code plan}. Define it as a bean; it serves MVC and WebFlux alike. Immutable.
 *
 * <pre>{@code
 * @Bean
 * RequestAttribute plan() {
 *   return RequestAttribute.ofPrincipal("plan", principal -> plans.of(principal.getName()));
 * }
 * }</pre>
 */
public final class RequestAttribute {
  private final String name;
  private final boolean principals;
  private final Function<HttpRequest, @Nullable String> ofRequest;
  private final Function<Principal, @Nullable String> ofPrincipal;

  private RequestAttribute(
      String name,
      boolean principals,
      Function<HttpRequest, @Nullable String> ofRequest,
      Function<Principal, @Nullable String> ofPrincipal) {
    this.name = Objects.requireNonNull(name, "name must not be null");
    this.principals = principals;
    this.ofRequest = Objects.requireNonNull(ofRequest, "value must not be null");
    this.ofPrincipal = Objects.requireNonNull(ofPrincipal, "value must not be null");
  }

  /**
   * Of the request itself. Limits that look at it are decided before Spring Security.
   *
   * @param value null if the request has none; called only if a limit asks for it, and must not
   *     block
   */
  public static RequestAttribute ofRequest(
      String name, Function<HttpRequest, @Nullable String> value) {
    return new RequestAttribute(name, false, value, principal -> null);
  }

  /**
   * Of the authenticated user. Limits that look at it are decided after Spring Security, and do not
   * apply to requests of nobody.
   *
   * @param value null if the user has none; called only if a limit asks for it, and must not block
   */
  public static RequestAttribute ofPrincipal(
      String name, Function<Principal, @Nullable String> value) {
    return new RequestAttribute(name, true, request -> null, value);
  }

  public String name() {
    return name;
  }

  /** Whether it is known only once a request is authenticated. */
  public boolean isOfPrincipal() {
    return principals;
  }

  /** Its value for a request; null if there is none. */
  public @Nullable String value(HttpRequest request, @Nullable Principal principal) {
    if (!principals) {
      return ofRequest.apply(request);
    }
    return principal == null ? null : ofPrincipal.apply(principal);
  }
}
