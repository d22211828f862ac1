package dev.weir.site;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The frame around a page: title, navigation and search. */
final class PageTemplate {
  private final Map<String, List<MarkdownPage>> chapters;

  /**
   * @param chapters the pages of each, in the order of the navigation
   */
  PageTemplate(Map<String, List<MarkdownPage>> chapters) {
    this.chapters = chapters;
  }

  String around(MarkdownPage page) {
    return """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>%1$s</title>
        <link rel="stylesheet" href="%2$ssite.css">
        </head>
        <body>
        <a class="to-pages" href="#pages">All pages and search</a>
        <nav id="pages">
        <label for="search">Search</label>
        <input id="search" type="search" data-root="%2$s" autocomplete="off">
        <ul id="found" aria-live="polite"></ul>
        %3$s
        </nav>
        <main>
        %4$s</main>
        <script src="%2$ssearch-index.js"></script>
        <script src="%2$ssearch.js"></script>
        </body>
        </html>
        """
        .formatted(heading(page), page.toRoot(), navigation(page), page.html());
  }

  private static String heading(MarkdownPage page) {
    return page.title().equals("Weir") ? "Weir" : page.title() + " - Weir";
  }

  private String navigation(MarkdownPage current) {
    return chapters.entrySet().stream()
        .map(
            chapter ->
                "<h2>%s</h2>\n<ul>\n%s\n</ul>"
                    .formatted(chapter.getKey(), links(chapter.getValue(), current)))
        .collect(Collectors.joining("\n"));
  }

  private static String links(List<MarkdownPage> pages, MarkdownPage current) {
    return pages.stream()
        .map(
            page ->
                "<li><a href=\"%s\"%s>%s</a>%s</li>"
                    .formatted(
                        current.toRoot() + page.target(),
                        page.equals(current) ? " aria-current=\"page\"" : "",
                        page.title(),
                        page.equals(current) ? sections(page) : ""))
        .collect(Collectors.joining("\n"));
  }

  private static String sections(MarkdownPage page) {
    return page.sections().entrySet().stream()
        .map(
            section ->
                "<li><a href=\"#%s\">%s</a></li>".formatted(section.getKey(), section.getValue()))
        .collect(Collectors.joining("\n", "\n<ul>\n", "\n</ul>\n"));
  }
}
