package dev.weir.benchmarks.report;

import java.util.Locale;

/** A drawing being written. Not safe for many threads. */
final class SvgDrawing {
  private static final String STYLE =
      """
        <style>
          text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2933; }
          .head { font-weight: 600; font-size: 15px; }
          .small { font-size: 12px; fill: #54616b; }
          .mid { text-anchor: middle; }
          .end { text-anchor: end; }
          .card { fill: #ffffff; stroke: #d5dbe0; }
          .grid { stroke: #d5dbe0; fill: none; }
          .bar { fill: #9fb3c8; }
          .own { fill: #1f6fb2; }
          .line { stroke-width: 2; fill: none; }
          .s0 { stroke: #1f6fb2; stroke-width: 3.5; } .s1 { stroke: #54616b; } .s2 { stroke: #b45309; }
          .s3 { stroke: #1a7f4b; } .s4 { stroke: #c0392b; } .s5 { stroke: #8e44ad; } .s6 { stroke: #0e7c86; }
          @media (prefers-color-scheme: dark) {
            text { fill: #e6ebef; }
            .small { fill: #a9b5bf; }
            .card { fill: #14191f; stroke: #34404a; }
            .grid { stroke: #34404a; }
            .bar { fill: #52657a; }
            .own { fill: #6db3f2; }
            .s0 { stroke: #6db3f2; } .s1 { stroke: #a9b5bf; } .s2 { stroke: #f2b366; }
            .s3 { stroke: #5fc98f; } .s4 { stroke: #f08a7d; } .s5 { stroke: #c79be0; } .s6 { stroke: #5cc4cf; }
          }
        </style>
      """;

  private final StringBuilder body = new StringBuilder();
  private final String title;
  private final String description;

  /** The description says in words what the drawing shows, for those who cannot see it. */
  SvgDrawing(String title, String description) {
    this.title = title;
    this.description = description;
  }

  void text(double x, double y, String classes, String text) {
    line("<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>", x, y, classes, escape(text));
  }

  void rect(double x, double y, double width, double height, String classes) {
    line(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\" class=\"%s\"/>",
        x, y, width, height, classes);
  }

  void path(String points, String classes) {
    line("<polyline points=\"%s\" class=\"%s\"/>", points, classes);
  }

  static String point(double x, double y) {
    return String.format(Locale.ROOT, "%.1f,%.1f", x, y);
  }

  private void line(String format, Object... values) {
    body.append("  ").append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  String render(int width, int height) {
    return """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="title desc">
          <title id="title">%s</title>
          <desc id="desc">%s</desc>
        %s  <rect x="0.5" y="0.5" width="%d" height="%d" rx="6" class="card"/>
        %s</svg>
        """
        .formatted(
            width, height, escape(title), escape(description), STYLE, width - 1, height - 1, body);
  }

  static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
