package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.RuleSet;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Alerts, dashboard and documentation speak of metrics that a running service has. */
final class DeployFilesTest {
  private static final Pattern NAME = Pattern.compile("\\bweir_[a-z_]+");
  private static final Pattern SELECTOR = Pattern.compile("\\b(weir_[a-z_]+)\\{([^}]*)}");
  private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(?:=~|!=|!~|=)\\s*\"");
  private static final Pattern GROUPING = Pattern.compile("\\bby \\(([^)]*)\\)");

  /** Prometheus adds these itself, {@code le} is that of a bucket. */
  private static final Set<String> COMMON_LABELS = Set.of("job", "instance", "le");

  private static final Map<String, Set<String>> SCRAPED = new TreeMap<>();

  @BeforeAll
  static void scrape() {
    SCRAPED.putAll(Scrape.labelsByName(Scrape.ofMemory()));
    List<String> others =
        List.of(
            Scrape.ofBudgetThatWarns(), Scrape.ofStoreThatIsAway(), Scrape.ofStoreThatRefuses());
    for (String text : others) {
      Scrape.labelsByName(text)
          .forEach((name, labels) -> SCRAPED.merge(name, labels, DeployFilesTest::union));
    }
  }

  @Test
  void alertsAndDashboardNameMetricsThatExist() {
    assertThat(namesIn(DeployFiles.read(DeployFiles.ALERTS)))
        .isNotEmpty()
        .isSubsetOf(SCRAPED.keySet());
    assertThat(namesIn(DeployFiles.read(DeployFiles.DASHBOARD)))
        .isNotEmpty()
        .isSubsetOf(SCRAPED.keySet());
  }

  @Test
  void theTestsOfTheAlertsGiveThemMetricsThatExist() {
    String tests = DeployFiles.read(DeployFiles.FOLDER.resolve("prometheus/alerts_test.yml"));
    assertThat(namesIn(tests)).isNotEmpty().isSubsetOf(SCRAPED.keySet());
    assertThat(wrongLabels(Stream.of(tests))).isEmpty();
  }

  @Test
  void alertsAndDashboardSelectByLabelsThatTheirMetricsHave() {
    assertThat(wrongLabels(expressions())).isEmpty();
  }

  @Test
  void alertsAndDashboardGroupByLabelsThatExist() {
    Set<String> known = new TreeSet<>(COMMON_LABELS);
    SCRAPED.values().forEach(known::addAll);
    Set<String> used =
        expressions()
            .flatMap(expression -> GROUPING.matcher(expression).results())
            .flatMap(found -> Stream.of(found.group(1).split(",\\s*")))
            .collect(Collectors.toSet());
    assertThat(used).contains("job", "rule", "limit", "node").isSubsetOf(known);
  }

  @Test
  void everyAlertSaysHowBadItIsAndWhatToDo() {
    List<Map<?, ?>> alerts =
        DeployFiles.rules().stream().filter(rule -> rule.containsKey("alert")).toList();
    assertThat(alerts).hasSizeGreaterThan(10);
    for (Map<?, ?> alert : alerts) {
      assertThat(((Map<?, ?>) alert.get("labels")).get("severity")).isIn("warning", "critical");
      Map<?, ?> texts = (Map<?, ?>) alert.get("annotations");
      assertThat(texts.get("summary").toString()).isNotBlank();
      assertThat(texts.get("description").toString()).hasSizeGreaterThan(80);
    }
  }

  @Test
  void theDashboardAsksForItsDataSource() {
    JsonObject dashboard = new JsonObject(DeployFiles.read(DeployFiles.DASHBOARD));
    JsonObject first = dashboard.getJsonObject("templating").getJsonArray("list").getJsonObject(0);
    assertThat(first.getString("type")).isEqualTo("datasource");
    assertThat(dashboard.getJsonArray("panels"))
        .map(JsonObject.class::cast)
        .filteredOn(panel -> !panel.getString("type").equals("row"))
        .allSatisfy(
            panel ->
                assertThat(panel.getJsonObject("datasource").getString("uid"))
                    .isEqualTo("${datasource}"));
  }

  @Test
  void theRulesAreValid() {
    assertThat(RuleSet.load(DeployFiles.FOLDER.resolve("weir.yaml")).names())
        .containsExactly("login", "api", "everything");
  }

  @Test
  void everyFileThatIsMountedExists() {
    Map<?, ?> services =
        (Map<?, ?>) DeployFiles.yaml(DeployFiles.FOLDER.resolve("compose.yaml")).get("services");
    assertThat(services).hasSize(5);
    List<String> mounted =
        services.values().stream()
            .map(service -> ((Map<?, ?>) service).get("volumes"))
            .filter(volumes -> volumes != null)
            .flatMap(volumes -> ((List<?>) volumes).stream())
            .map(volume -> volume.toString().split(":")[0])
            .filter(source -> source.startsWith("./"))
            .toList();
    assertThat(mounted)
        .hasSizeGreaterThan(3)
        .allSatisfy(source -> assertThat(DeployFiles.FOLDER.resolve(source)).exists());
    assertThat(Files.exists(DeployFiles.FOLDER.resolve("Dockerfile"))).isTrue();
  }

  @Test
  void theDocumentationHasEveryMetricAndNoOther() {
    Set<String> parts = new TreeSet<>();
    for (String name : SCRAPED.keySet()) {
      parts.add(name.replaceFirst("_seconds_(bucket|sum|count|max)$", "_seconds"));
    }
    parts.removeIf(name -> !name.startsWith("weir_"));
    Set<String> documented =
        namesIn(DeployFiles.read(DeployFiles.METRICS)).stream()
            .map(name -> name.replaceFirst("_seconds_(bucket|sum|count|max)$", "_seconds"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(documented).isEqualTo(parts);
  }

  private static Stream<String> expressions() {
    return Stream.concat(
        DeployFiles.alertExpressions().stream(), DeployFiles.dashboardExpressions().stream());
  }

  private static Set<String> namesIn(String text) {
    return NAME.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
  }

  /** As {@code metric.label}. */
  private static List<String> wrongLabels(Stream<String> texts) {
    return texts
        .flatMap(text -> SELECTOR.matcher(text).results())
        .flatMap(DeployFilesTest::wrongLabels)
        .toList();
  }

  private static Stream<String> wrongLabels(MatchResult selector) {
    Set<String> known = union(SCRAPED.getOrDefault(selector.group(1), Set.of()), COMMON_LABELS);
    Matcher labels = MATCHER.matcher(selector.group(2));
    return labels
        .results()
        .map(label -> label.group(1))
        .filter(label -> !known.contains(label))
        .map(label -> selector.group(1) + "." + label);
  }

  private static Set<String> union(Set<String> some, Set<String> more) {
    Set<String> all = new TreeSet<>(some);
    all.addAll(more);
    return all;
  }
}
