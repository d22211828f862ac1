package dev.weir.server.service;

import dev.weir.internal.text.PrintableText;

/** Text of a client as it may stand in a message or a log: short, and on one line. */
public final class LogSafeText {
  private LogSafeText() {}

  public static String text(String value) {
    return PrintableText.quoted(value);
  }
}
