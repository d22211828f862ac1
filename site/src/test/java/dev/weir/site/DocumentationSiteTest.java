package dev.weir.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes the site to {@code target/site}, and checks it. */
final class DocumentationSiteTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Path SITE = Path.of("target/site");

  @TempDir Path folder;

  @Test
  void everyLinkLeadsSomewhereAndEveryPageIsThere() throws IOException {
    List<String> dead = DocumentationSite.read(ROOT).write(SITE);
    assertThat(dead).isEmpty();
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      docs.map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".md"))
          .forEach(
              name -> assertThat(SITE.resolve("docs/" + name.replace(".md", ".html"))).exists());
    }
    assertThat(SITE.resolve("docs/rules.html"))
        .content()
        .contains("<table>", "<a href=\"../index.html\">", "aria-current=\"page\"");
    assertThat(SITE.resolve("index.html"))
        .content()
        .contains("href=\"docs/guide.html\"", "<title>Weir</title>", "<h2>The service</h2>");
    assertThat(SITE.resolve("docs/redis.html"))
        .content()
        .contains("<title>State in Redis - Weir</title>", "<li><a href=\"#connections\">");
    assertThat(SITE.resolve("search-index.js")).content().contains("{page: \"docs/redis.html\"");
  }

  @Test
  void deadLinksAreNamedWithTheirPage() throws IOException {
    for (String name : List.of("README.md", "docs/guide.md")) {
      Files.createDirectories(folder.resolve(name).getParent());
      Files.writeString(folder.resolve(name), "# Title\n");
    }
    Files.writeString(
        folder.resolve("README.md"),
        "# Title\n[a](docs/guide.md#title) [b](docs/guide.md#no) [c](none.md) [d](#title)\n");
    MarkdownPage readme = MarkdownPage.read(folder, "README.md");
    MarkdownPage guide = MarkdownPage.read(folder, "docs/guide.md");
    PageLinks links =
        new PageLinks(
            folder, readme, java.util.Map.of("README.md", readme, "docs/guide.md", guide));
    assertThat(links.translate())
        .containsExactly("README.md: docs/guide.md#no", "README.md: none.md");
    assertThat(readme.html()).contains("<a href=\"docs/guide.html#title\">a</a>");
  }
}
