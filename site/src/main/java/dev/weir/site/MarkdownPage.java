package dev.weir.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.text.TextContentRenderer;

/**
 * One file of Markdown.
 *
 * @param source from the root of the project: {@code docs/rules.md}
 * @param title the first heading
 * @param anchors what a link may name behind a {@code #}
 * @param sections headings of the second level, by their anchor
 */
record MarkdownPage(
    String source, Node document, String title, Set<String> anchors, Map<String, String> sections) {
  private static final List<Extension> EXTENSIONS =
      List.of(TablesExtension.create(), HeadingAnchorExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
  private static final HtmlRenderer HTML = HtmlRenderer.builder().extensions(EXTENSIONS).build();
  private static final TextContentRenderer TEXT =
      TextContentRenderer.builder().extensions(EXTENSIONS).build();
  private static final Pattern HEADING = Pattern.compile("<h([1-6]) id=\"([^\"]+)\">(.*?)</h\\1>");

  static MarkdownPage read(Path root, String source) {
    try {
      Node document = PARSER.parse(Files.readString(root.resolve(source)));
      List<MatchResult> headings = HEADING.matcher(HTML.render(document)).results().toList();
      return new MarkdownPage(
          source,
          document,
          headings.isEmpty() ? source : text(headings.get(0)),
          headings.stream().map(heading -> heading.group(2)).collect(Collectors.toSet()),
          sections(headings));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static Map<String, String> sections(List<MatchResult> headings) {
    Map<String, String> sections = new LinkedHashMap<>();
    headings.stream()
        .filter(heading -> heading.group(1).equals("2"))
        .forEach(heading -> sections.put(heading.group(2), text(heading)));
    return sections;
  }

  private static String text(MatchResult heading) {
    return heading.group(3).replaceAll("<[^>]+>", "");
  }

  /** Where it is in the site: the README is the first page. */
  String target() {
    return source.equals("README.md") ? "index.html" : source.replaceAll("\\.md$", ".html");
  }

  /** The way from this page to the root of the site. */
  String toRoot() {
    return "../".repeat((int) source.chars().filter(c -> c == '/').count());
  }

  String html() {
    return HTML.render(document);
  }

  String text() {
    return TEXT.render(document).replaceAll("\\s+", " ");
  }
}
