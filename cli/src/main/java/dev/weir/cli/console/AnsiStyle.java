package dev.weir.cli.console;

/**
 * Colours for text, or none.
 *
 * @param on false leaves every text as it is
 */
public record AnsiStyle(boolean on) {
  public String good(String text) {
    return paint("32", text);
  }

  public String bad(String text) {
    return paint("31", text);
  }

  public String strong(String text) {
    return paint("1", text);
  }

  public String faint(String text) {
    return paint("2", text);
  }

  private String paint(String code, String text) {
    return on && !text.isBlank() ? "\033[" + code + "m" + text + "\033[0m" : text;
  }
}
