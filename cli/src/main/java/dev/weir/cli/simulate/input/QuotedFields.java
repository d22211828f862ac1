package dev.weir.cli.simulate.input;

import java.util.ArrayList;
import java.util.List;

/** The fields of a line with blanks between them; a field in quotation marks may hold blanks. */
final class QuotedFields {
  private QuotedFields() {}

  /** Without the quotation marks; escapes are left as they are. */
  static List<String> split(String text) {
    List<String> fields = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      if (text.charAt(at) == ' ') {
        at++;
      } else if (text.charAt(at) == '"') {
        int end = closingQuote(text, at + 1);
        fields.add(text.substring(at + 1, end));
        at = end + 1;
      } else {
        int space = text.indexOf(' ', at);
        int end = space < 0 ? text.length() : space;
        fields.add(text.substring(at, end));
        at = end;
      }
    }
    return fields;
  }

  static int closingQuote(String text, int start) {
    for (int i = start; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      } else if (text.charAt(i) == '"') {
        return i;
      }
    }
    throw new MalformedLineException("a quotation mark is missing");
  }
}
