package dev.weir.server.hostile;

import static dev.weir.server.RunningService.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.Http;
import dev.weir.server.RunningService;
import dev.weir.testkit.FaultReport;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bodies that are anything but questions: 400 in our own words, never 500. */
final class HostileBodyTest {
  private static final int MUTATIONS = 3000;
  private static final String GOOD =
      "{\"attributes\": {\"path\": \"/api/x\", \"user\": \"ann\", \"n\": 1.5e3}, \"permits\": 1}";

  @TempDir static Path directory;
  private static RunningService service;

  @BeforeAll
  static void start() {
    service = RunningService.start(directory);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void longNumbersLongNamesAndDeepNestingAreRefusedInOurOwnWords() {
    String digits = "9".repeat(2000);
    refused("{\"attributes\": {\"a\": " + digits + "}}");
    refused("{\"attributes\": {}, \"permits\": " + digits + "}");
    refused("{\"attributes\": {\"" + "n".repeat(60_000) + "\": 1}}");
    refused("{\"" + "n".repeat(60_000) + "\": 1}");
    refused(
        "{\"attributes\": " + "{\"a\":".repeat(5000),
        "attributes.\"a\" must be text, a number, true or false");
    refused("{\"attributes\": {\"a\": \"" + "\\u0000".repeat(9000));
    FaultReport.row(
        "74 numbers of 2000 digits, names of 60 kB, 5000 levels", 6, "400 in 200 characters");
  }

  @Test
  void bytesThatAreNotUtf8AreRefused() throws IOException {
    byte[][] bodies = {
      {0, 0, (byte) 0xff, (byte) 0xfe, 0, 0, 0, '{'},
      {0, 0, (byte) 0xfe, (byte) 0xff, 0, 0},
      {(byte) 0xff, (byte) 0xfe, '{', 0, '}'},
      {'{', '"', (byte) 0xc0, (byte) 0xaf, '"', ':', '1', '}'},
      {(byte) 0xef, (byte) 0xbb, (byte) 0xbf},
      "{\"attributes\": {\"user\": \"caf\u00e9\"}}".getBytes(StandardCharsets.ISO_8859_1),
    };
    for (byte[] body : bodies) {
      assertThat(post(body)).isEqualTo(400);
    }
  }

  /** Seeded; every mutation is a question, a mistake of the client, or a denial. */
  @Test
  void noMutationOfAQuestionIsAMistakeOfOurs() throws IOException {
    long seed = Long.getLong("weir.seed", 75);
    Random random = new Random(seed);
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] body = mutated(random);
      assertThat(post(body))
          .as("seed %d: %s", seed, new String(body, StandardCharsets.ISO_8859_1))
          .isIn(200, 400, 429);
    }
    FaultReport.row("74 mutated questions", MUTATIONS, "200, 400 or 429, never 500");
  }

  @Test
  void rulesThatAreNotUtf8AreRefusedWithTheirPlace() throws IOException {
    HttpURLConnection connection = open("/v1/rules", "PUT");
    connection.setRequestProperty(ADMIN[0], ADMIN[1]);
    connection
        .getOutputStream()
        .write("rules:\n  - name: caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(connection.getResponseCode()).isEqualTo(400);
    try (InputStream answer = connection.getErrorStream()) {
      assertThat(new String(answer.readAllBytes(), StandardCharsets.UTF_8))
          .contains("rules:2:14: a file must be text in UTF-8, was byte 0xe9");
    }
  }

  @Test
  void aHundredThousandFaultsMakeAShortAnswer() {
    String faulty = "rules:\n" + "  - 1\n".repeat(100_000);
    Http.Answer answer = service.http.put("/v1/rules", faulty, ADMIN);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.detail()).endsWith("\nand 99980 more");
    int health = service.http.get("/healthz").body().length();
    assertThat(health).isLessThan(5000);
    FaultReport.row(
        "73 rules with 100,000 faults",
        1,
        "400 in %d characters, health in %d; bound 5000".formatted(answer.body().length(), health));
  }

  private static void refused(String body) {
    refused(body, "body must be JSON: ");
  }

  private static void refused(String body, String words) {
    Http.Answer answer = service.http.post("/v1/check", body);
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.detail()).startsWith(words).hasSizeLessThan(200);
  }

  private static byte[] mutated(Random random) {
    byte[] body = GOOD.getBytes(StandardCharsets.UTF_8);
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(body.length);
      body[at] =
          random.nextBoolean()
              ? (byte) random.nextInt(256)
              : (byte) "{}[]\",:0-9eE.\\utfn\0 ".charAt(random.nextInt(20));
    }
    int length = random.nextInt(4) == 0 ? random.nextInt(body.length) : body.length;
    return java.util.Arrays.copyOf(body, length);
  }

  private static int post(byte[] body) throws IOException {
    HttpURLConnection connection = open("/v1/check", "POST");
    connection.getOutputStream().write(body);
    int status = connection.getResponseCode();
    InputStream answer = status < 400 ? connection.getInputStream() : connection.getErrorStream();
    answer.readAllBytes(); // so that the connection is used again
    return status;
  }

  private static HttpURLConnection open(String path, String method) throws IOException {
    URL url = new URL("http://127.0.0.1:" + service.server.port() + path);
    HttpURLConnection connection = (HttpURLConnection) url.openConnection();
    connection.setRequestMethod(method);
    connection.setDoOutput(true);
    return connection;
  }
}
