package dev.weir.benchmarks;

/** A text of which one part, between two marks, is written by a program. Immutable. */
record MarkedText(String before, String begin, String end, String after) {
  /** What one process and what Redis has measured stand in the same text. */
  static MarkedText parse(String text, String part) {
    String begin = "<!-- " + part + ": begin -->";
    String end = "<!-- " + part + ": end -->";
    int from = text.indexOf(begin);
    int to = text.indexOf(end);
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("text must hold " + begin + " and then " + end);
    }
    return new MarkedText(text.substring(0, from), begin, end, text.substring(to + end.length()));
  }

  String with(String measured) {
    return before + begin + "\n\n" + measured + "\n" + end + after;
  }
}
