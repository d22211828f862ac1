package dev.weir.cli.simulate.report;

import java.util.List;
import java.util.Locale;

/** Puts HTML together; text is escaped wherever it enters. Not safe for many threads. */
final class HtmlWriter {
  private final StringBuilder out = new StringBuilder(1 << 16);

  /** Markup of our own. */
  HtmlWriter raw(String markup) {
    out.append(markup);
    return this;
  }

  /** Markup with numbers in it. */
  HtmlWriter raw(String format, Object... numbers) {
    out.append(String.format(Locale.ROOT, format, numbers));
    return this;
  }

  HtmlWriter text(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '&' -> out.append("&amp;");
        case '"' -> out.append("&quot;");
        default -> out.append(c);
      }
    }
    return this;
  }

  HtmlWriter element(String name, String text) {
    return raw("<" + name + ">").text(text).raw("</" + name + ">\n");
  }

  /** A table's head; names that start with # stand over numbers. */
  HtmlWriter head(String... names) {
    raw("<div class=\"scroll\"><table>\n<tr>");
    for (String name : names) {
      boolean number = name.startsWith("#");
      raw(number ? "<th class=\"number\">" : "<th>").text(number ? name.substring(1) : name);
      raw("</th>");
    }
    return raw("</tr>\n");
  }

  /** A row; cells that start with # are numbers, those with @ are keys. */
  HtmlWriter row(List<String> cells) {
    raw("<tr>");
    for (String cell : cells) {
      String kind =
          cell.startsWith("#") ? " class=\"number\"" : cell.startsWith("@") ? " class=\"key\"" : "";
      raw("<td" + kind + ">").text(kind.isEmpty() ? cell : cell.substring(1)).raw("</td>");
    }
    return raw("</tr>\n");
  }

  HtmlWriter endTable() {
    return raw("</table></div>\n");
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
