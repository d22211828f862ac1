package dev.weir.site;

import java.util.List;
import java.util.stream.Collectors;

/** The frame around a page: title, navigation and search. */
final class PageTemplate {
  private final List<MarkdownPage> pages;

  PageTemplate(List<MarkdownPage> pages) {
    this.pages = pages;
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
        <nav>
        <label for="search">Search</label>
        <input id="search" type="search" data-root="%2$s" autocomplete="off">
        <ul id="found"></ul>
        <ul>
        %3$s
        </ul>
        </nav>
        <main>
        %4$s</main>
        <script src="%2$ssearch-index.js"></script>
        <script src="%2$ssearch.js"></script>
        </body>
        </html>
        """
        .formatted(page.title(), page.toRoot(), navigation(page), page.html());
  }

  private String navigation(MarkdownPage current) {
    return pages.stream()
        .map(
            page ->
                "<li><a href=\"%s\"%s>%s</a></li>"
                    .formatted(
                        current.toRoot() + page.target(),
                        page.equals(current) ? " aria-current=\"page\"" : "",
                        page.title()))
        .collect(Collectors.joining("\n"));
  }
}
