package dev.weir.site;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All pages of the documentation, in the order of the navigation. */
final class DocumentationSite {
  /** What a newcomer reads first; pages that are not named here follow by name. */
  private static final List<String> ORDER =
      List.of(
          "README.md",
          "docs/guide.md",
          "docs/algorithms.md",
          "docs/rules.md",
          "docs/simulate.md",
          "docs/redis.md",
          "docs/service.md",
          "docs/clients.md",
          "docs/proxies.md",
          "docs/envoy.md",
          "deploy/README.md",
          "deploy/kubernetes/README.md",
          "docs/operating.md",
          "docs/metrics.md",
          "docs/hardening.md",
          "docs/migrating.md",
          "docs/compatibility.md");

  private static final List<String> FURTHER =
      List.of("deploy/dist/README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md");

  private final Path root;
  private final Map<String, MarkdownPage> pages = new LinkedHashMap<>();

  private DocumentationSite(Path root) {
    this.root = root;
  }

  /**
   * @param root of the project
   */
  static DocumentationSite read(Path root) throws IOException {
    DocumentationSite site = new DocumentationSite(root);
    List<String> sources = new ArrayList<>(ORDER);
    try (Stream<Path> docs = Files.list(root.resolve("docs"))) {
      docs.map(file -> "docs/" + file.getFileName())
          .filter(name -> name.endsWith(".md"))
          .sorted()
          .forEach(sources::add);
    }
    sources.addAll(FURTHER);
    sources.forEach(source -> site.pages.computeIfAbsent(source, s -> MarkdownPage.read(root, s)));
    return site;
  }

  /**
   * Writes all pages.
   *
   * @return the links that lead nowhere
   */
  List<String> write(Path target) throws IOException {
    List<String> dead = new ArrayList<>();
    pages.values().forEach(page -> dead.addAll(new PageLinks(root, page, pages).translate()));
    PageTemplate template = new PageTemplate(List.copyOf(pages.values()));
    for (MarkdownPage page : pages.values()) {
      Path file = target.resolve(page.target());
      Files.createDirectories(file.getParent());
      Files.writeString(file, template.around(page));
    }
    Files.writeString(target.resolve("search-index.js"), searchIndex());
    for (String resource : List.of("site.css", "search.js")) {
      copyResource(resource, target.resolve(resource));
    }
    copyImages(target);
    return dead;
  }

  /** A script and not JSON, so that the pages also work when they are opened as files. */
  private String searchIndex() {
    return pages.values().stream()
        .map(
            page ->
                "  {page: %s, title: %s, text: %s}"
                    .formatted(quoted(page.target()), quoted(page.title()), quoted(page.text())))
        .collect(Collectors.joining(",\n", "const SEARCH_INDEX = [\n", "\n];\n"));
  }

  private static String quoted(String text) {
    return '"'
        + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("</", "<\\/").replace("\n", " ")
        + '"';
  }

  private static void copyResource(String name, Path target) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(DocumentationSite.class.getResourceAsStream(name), name)) {
      Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private void copyImages(Path target) throws IOException {
    Path folder = root.resolve("docs/images");
    Files.createDirectories(target.resolve("docs/images"));
    try (Stream<Path> images = Files.list(folder)) {
      for (Path image : images.filter(Files::isRegularFile).toList()) {
        Files.copy(
            image,
            target.resolve("docs/images").resolve(image.getFileName()),
            StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
