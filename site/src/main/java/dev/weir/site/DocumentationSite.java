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
  /** What a newcomer reads first comes first; pages of docs that are not named here come last. */
  private static final Map<String, List<String>> CHAPTERS = new LinkedHashMap<>();

  static {
    CHAPTERS.put("Start", List.of("README.md", "docs/guide.md", "docs/migrating.md"));
    CHAPTERS.put(
        "Limits and rules",
        List.of(
            "docs/algorithms.md", "docs/rules.md", "docs/testing-rules.md", "docs/simulate.md"));
    CHAPTERS.put("State", List.of("docs/redis.md", "docs/operating.md", "docs/hot-keys.md"));
    CHAPTERS.put(
        "The service",
        List.of(
            "docs/service.md",
            "docs/clients.md",
            "docs/proxies.md",
            "docs/envoy.md",
            "docs/dashboard.md",
            "docs/metrics.md",
            "docs/hardening.md"));
    CHAPTERS.put(
        "Deploying",
        List.of("deploy/README.md", "deploy/kubernetes/README.md", "deploy/dist/README.md"));
    CHAPTERS.put(
        "Evidence", List.of("docs/benchmarks.md", "docs/fault-report.md", "docs/compatibility.md"));
    CHAPTERS.put(
        "The project",
        List.of(
            "docs/architecture.md",
            "docs/decisions.md",
            "CHANGELOG.md",
            "CONTRIBUTING.md",
            "docs/releasing.md",
            "SECURITY.md"));
  }

  private static final String LAST_CHAPTER = "The project";

  private final Path root;
  private final Map<String, MarkdownPage> pages = new LinkedHashMap<>();
  private final Map<String, List<MarkdownPage>> chapters = new LinkedHashMap<>();

  private DocumentationSite(Path root) {
    this.root = root;
  }

  /**
   * @param root of the project
   */
  static DocumentationSite read(Path root) throws IOException {
    DocumentationSite site = new DocumentationSite(root);
    CHAPTERS.forEach((chapter, sources) -> sources.forEach(each -> site.add(chapter, each)));
    try (Stream<Path> docs = Files.list(root.resolve("docs"))) {
      docs.map(file -> "docs/" + file.getFileName())
          .filter(name -> name.endsWith(".md") && !site.pages.containsKey(name))
          .sorted()
          .forEach(name -> site.add(LAST_CHAPTER, name));
    }
    return site;
  }

  private void add(String chapter, String source) {
    MarkdownPage page = MarkdownPage.read(root, source);
    pages.put(source, page);
    chapters.computeIfAbsent(chapter, c -> new ArrayList<>()).add(page);
  }

  /**
   * Writes all pages.
   *
   * @return the links that lead nowhere
   */
  List<String> write(Path target) throws IOException {
    List<String> dead = new ArrayList<>();
    pages.values().forEach(page -> dead.addAll(new PageLinks(root, page, pages).translate()));
    PageTemplate template = new PageTemplate(chapters);
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
