package dev.weir.server.service;

/** Text of a client as it may stand in a message or a log: short, and on one line. */
public final class LogSafeText {
  private static final int MOST = 100;

  private LogSafeText() {}

  public static String text(String value) {
    StringBuilder out = new StringBuilder(Math.min(value.length(), MOST) + 2).append('"');
    int end = Math.min(value.length(), MOST);
    for (int i = 0; i < end; i++) {
      char c = value.charAt(i);
      out.append(Character.isISOControl(c) || Character.isSurrogate(c) ? '?' : c);
    }
    return out.append(end < value.length() ? "...\"" : "\"").toString();
  }
}
