package dev.weir.spring.internal.method;

/** A {@code @RateLimited} that cannot work; found when its bean is created. */
public final class InvalidRateLimitedException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final String action;

  /**
   * @param what the annotation, its method, and what is wrong
   * @param action what to change
   */
  InvalidRateLimitedException(String what, String action) {
    super(what);
    this.action = action;
  }

  public String action() {
    return action;
  }
}
