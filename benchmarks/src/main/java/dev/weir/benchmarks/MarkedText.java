package dev.weir.benchmarks;

/** A text of which one part, between two marks, is written by a program. Immutable. */
record MarkedText(String before, String after) {
  static final String BEGIN = "<!-- measured: begin -->";
  static final String END = "<!-- measured: end -->";

  static MarkedText parse(String text) {
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException("text must hold " + BEGIN + " and then " + END);
    }
    return new MarkedText(text.substring(0, begin), text.substring(end + END.length()));
  }

  String with(String measured) {
    return before + BEGIN + "\n\n" + measured + "\n" + END + after;
  }
}
