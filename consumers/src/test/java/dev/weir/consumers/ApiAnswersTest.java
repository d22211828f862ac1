package dev.weir.consumers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The answers of the running service are what {@code /openapi.json} says of them. */
@Tag("slow") // needs the packaged jar
@Timeout(120)
final class ApiAnswersTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String RULES =
      """
      rules:
        - name: api
          when: {path: /api/**}
          limits:
            - {name: user, key: user, limit: 1 per 400d, algorithm: fixed-window}
      """;
  private static final String ANN = "{\"attributes\": {\"path\": \"/api/x\", \"user\": \"ann\"}}";
  private static final String BOB = "{\"attributes\": {\"path\": \"/api/x\", \"user\": \"bob\"}}";

  @TempDir static Path folder;
  private static RunningService service;
  private static JsonNode description;

  @BeforeAll
  static void start() throws Exception {
    service = RunningService.start(folder, RULES);
    description = MAPPER.readTree(service.call("GET", "/openapi.json", "").body());
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void decisionsAreAsDescribed() throws Exception {
    conforms(200, "POST", "/v1/check", ANN);
    conforms(429, "POST", "/v1/check", ANN);
    conforms(429, "POST", "/v1/peek", ANN);
    conforms(200, "POST", "/v1/charge", ANN);
    conforms(400, "POST", "/v1/check", "{}");
  }

  @Test
  void blocksAndSwitchesAreAsDescribed() throws Exception {
    conforms(200, "POST", "/v1/block", BOB);
    conforms(200, "GET", "/v1/switches", "");
    conforms(429, "POST", "/v1/check", BOB);
    conforms(200, "GET", "/v1/denied", "");
    conforms(200, "POST", "/v1/unblock", BOB);
    conforms(200, "PUT", "/v1/kill-switch", "");
    conforms(200, "DELETE", "/v1/kill-switch", "");
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /healthz",
    "GET, /readyz",
    "GET, /healthcheck",
    "GET, /metrics",
    "GET, /v1/rules",
    "GET, /v1/rules/refused",
    "GET, /rlconfig",
    "GET, /openapi.json",
    "DELETE, /v1/rules"
  })
  void whatNeedsNoBodyIsAsDescribed(String method, String path) throws Exception {
    conforms(200, method, path, "");
  }

  @Test
  void administrationIsAsDescribed() throws Exception {
    String eve = ANN.replace("ann", "eve");
    conforms(200, "POST", "/v1/explain", eve);
    conforms(200, "POST", "/v1/refund", eve);
    conforms(200, "POST", "/v1/reset", eve);
    conforms(200, "PUT", "/v1/rules", RULES);
    conforms(400, "PUT", "/v1/rules", "rules: 3");
  }

  @Test
  void theValidatorFindsWhatIsMissing() {
    JsonNode decision = MAPPER.createObjectNode().put("$ref", "#/components/schemas/Decision");
    assertThatThrownBy(() -> validate(decision, "{\"allowed\": true, \"limits\": []}"))
        .hasMessageContaining("source");
  }

  private static void conforms(int status, String method, String path, String body)
      throws Exception {
    HttpResponse<String> answer = service.call(method, path, body);
    assertThat(answer.statusCode())
        .as(method + " " + path + ": " + answer.body())
        .isEqualTo(status);
    JsonNode operation = description.path("paths").path(path).path(method.toLowerCase(Locale.ROOT));
    JsonNode response = resolve(operation.path("responses").path(String.valueOf(status)));
    String type = answer.headers().firstValue("Content-Type").orElse("").replaceAll(";.*", "");
    JsonNode content = response.path("content").path(type);
    assertThat(content.isMissingNode()).as(path + " is not described as " + type).isFalse();
    if (type.endsWith("json")) {
      validate(content.path("schema"), answer.body());
    }
  }

  private static JsonNode resolve(JsonNode node) {
    return node.has("$ref") ? description.at(node.get("$ref").asText().substring(1)) : node;
  }

  /** OpenAPI 3.1 describes bodies in plain JSON Schema; references lead into the description. */
  private static void validate(JsonNode schema, String body) throws IOException {
    ObjectNode whole = MAPPER.createObjectNode();
    whole.set("components", description.path("components"));
    whole.setAll((ObjectNode) schema);
    var validator = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(whole);
    assertThat(validator.validate(MAPPER.readTree(body))).as(body).isEmpty();
  }
}
