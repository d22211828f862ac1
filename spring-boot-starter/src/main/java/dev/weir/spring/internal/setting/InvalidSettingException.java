package dev.weir.spring.internal.setting;

/** A property whose value cannot be used. Its value is shown unless it may hold a password. */
public final class InvalidSettingException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final String property;
  private final String value;
  private final String expected;

  /**
   * @param value as it may be shown
   * @param expected what is allowed: "must be …"
   */
  public InvalidSettingException(String property, String value, String expected) {
    super(property + " " + expected + ", was " + value);
    this.property = property;
    this.value = value;
    this.expected = expected;
  }

  public String property() {
    return property;
  }

  public String value() {
    return value;
  }

  public String expected() {
    return expected;
  }
}
