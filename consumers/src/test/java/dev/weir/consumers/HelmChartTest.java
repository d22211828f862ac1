package dev.weir.consumers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.marcnuri.helm.Helm;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The chart and the plain manifests: valid for Kubernetes, and one the rendering of the other. */
@Tag("slow") // loads Helm
final class HelmChartTest {
  private static final Path PLAIN = Path.of("../deploy/kubernetes/weir.yaml");
  private static final Path OPERATOR = Path.of("../deploy/kubernetes/prometheus-operator.yaml");
  private static final String HEADER =
      """
      # Rendered from the chart in deploy/helm/weir with its default values; change that, then run
      #   mvn -B -Pfull verify -pl consumers -am -Dtest=HelmChartTest -Dsurefire.failIfNoSpecifiedTests=false \\
      #     -Dweir.write=true
      """;

  private static final String WITH = "with serviceMonitor and prometheusRule enabled";

  /** Checks a manifest as Kubernetes does: unknown, missing and mistyped fields are refused. */
  private interface Schema {
    void check(JsonElement manifest) throws IOException;
  }

  private static final Map<String, Schema> SCHEMAS =
      Map.of(
          "ConfigMap", V1ConfigMap::validateJsonElement,
          "Deployment", V1Deployment::validateJsonElement,
          "Service", V1Service::validateJsonElement,
          "PodDisruptionBudget", V1PodDisruptionBudget::validateJsonElement,
          "HorizontalPodAutoscaler", V2HorizontalPodAutoscaler::validateJsonElement,
          "NetworkPolicy", V1NetworkPolicy::validateJsonElement);

  private final RenderedChart chart = RenderedChart.with(Map.of());
  private final RenderedChart operator =
      RenderedChart.with(Map.of("serviceMonitor.enabled", true, "prometheusRule.enabled", true));

  @Test
  void helmFindsNoFault() {
    var result = new Helm(RenderedChart.FOLDER).lint().strict().call();
    assertThat(result.isFailed()).as(result.getMessages().toString()).isFalse();
  }

  @Test
  void everyManifestHasTheFieldsThatKubernetesKnows() throws IOException {
    assertThat(chart.manifests()).hasSize(7);
    for (Map<?, ?> manifest : chart.manifests()) {
      SCHEMAS.get(manifest.get("kind")).check(new Gson().toJsonTree(manifest));
    }
  }

  @Test
  void theSchemaWouldFindAMisspeltField() {
    JsonElement manifest =
        new Gson().fromJson("{\"kind\": \"Deployment\", \"spek\": {}}", JsonElement.class);
    assertThatThrownBy(() -> V1Deployment.validateJsonElement(manifest))
        .hasMessageContaining("spek");
  }

  @Test
  void thePlainManifestsAreTheRenderedChart() throws IOException {
    assertSame(PLAIN, HEADER + withoutHelm(chart.text()));
    List<String> documents = List.of(operator.text().split("(?m)^---\n"));
    String custom =
        documents.stream()
            .filter(document -> document.contains("monitoring.coreos.com"))
            .reduce("", (before, document) -> before + "---\n" + document);
    assertSame(OPERATOR, HEADER.replace("with its default values", WITH) + withoutHelm(custom));
  }

  /** What kubectl applies is not managed by Helm. */
  private static String withoutHelm(String text) {
    return text.replaceAll("(?m)^ *app.kubernetes.io/managed-by: Helm\n", "");
  }

  private static void assertSame(Path file, String text) throws IOException {
    if (Boolean.getBoolean("weir.write")) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    }
    assertThat(file).hasContent(text);
  }

  @Test
  void thePodStopsLaterThanItsDrainAndTheBudgetKeepsTheOthers() {
    Object pod = RenderedChart.at(chart.manifest("Deployment"), "spec/template/spec");
    List<?> args = (List<?>) RenderedChart.at(pod, "containers/0/args");
    assertThat(args.contains("--drain=10000")).isTrue();
    assertThat((Integer) RenderedChart.at(pod, "terminationGracePeriodSeconds")).isEqualTo(30);
    assertThat(RenderedChart.at(chart.manifest("PodDisruptionBudget"), "spec/maxUnavailable"))
        .isEqualTo(1);
    String context = "containers/0/securityContext/";
    assertThat(RenderedChart.at(pod, context + "readOnlyRootFilesystem")).isEqualTo(true);
    assertThat(RenderedChart.at(pod, "securityContext/runAsUser")).isEqualTo(10001);
  }

  @Test
  void theAlertsOfTheChartAreThoseOfPrometheus() throws IOException {
    Path alerts = Path.of("../deploy/prometheus/alerts.yml");
    assertThat(RenderedChart.FOLDER.resolve("files/alerts.yml")).hasSameTextualContentAs(alerts);
    Object groups = RenderedChart.at(operator.manifest("PrometheusRule"), "spec/groups");
    assertThat((List<?>) groups).hasSizeGreaterThan(2);
  }

  @Test
  void theMonitorFindsTheServiceAndThePortOfMetrics() {
    Map<?, ?> monitor = operator.manifest("ServiceMonitor");
    Object selector = RenderedChart.at(monitor, "spec/selector/matchLabels");
    Object port = RenderedChart.at(monitor, "spec/endpoints/0/port");
    assertThat(RenderedChart.at(monitor, "spec/endpoints/0/path")).isEqualTo("/metrics");
    assertThat(operator.manifests())
        .filteredOn(manifest -> manifest.get("kind").equals("Service"))
        .filteredOn(
            service -> labels(service).entrySet().containsAll(((Map<?, ?>) selector).entrySet()))
        .singleElement()
        .satisfies(
            service -> assertThat(RenderedChart.at(service, "spec/ports/0/name")).isEqualTo(port));
  }

  private static Map<?, ?> labels(Map<?, ?> manifest) {
    return (Map<?, ?>) RenderedChart.at(manifest, "metadata/labels");
  }
}
