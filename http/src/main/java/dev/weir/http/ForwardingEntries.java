package dev.weir.http;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The entries of a comma-separated field, last line first and each from its end; blank ones are
 * left out.
 *
 * <p>Quotes are ignored: a quote that a client left open must not hide what a proxy wrote after it.
 * A comma inside quotes therefore yields two entries with one quote each, and neither is a valid
 * address.
 */
final class ForwardingEntries implements Iterator<String> {
  private final List<String> lines;
  private int line;
  private String text = "";
  private int end = -1;
  private String next = "";

  ForwardingEntries(List<String> lines) {
    this.lines = lines;
    this.line = lines.size();
  }

  @Override
  public boolean hasNext() {
    while (next.isEmpty() && (end >= 0 || line > 0)) {
      if (end < 0) {
        text = lines.get(--line);
        end = text.length();
      }
      int comma = text.lastIndexOf(',', end - 1);
      next = text.substring(comma + 1, end).strip();
      end = comma;
    }
    return !next.isEmpty();
  }

  @Override
  public String next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    String entry = next;
    next = "";
    return entry;
  }
}
