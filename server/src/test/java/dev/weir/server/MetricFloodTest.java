package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** FAULTS 34, over HTTP: whatever clients send, they make no series. */
final class MetricFloodTest {
  private static final String RULES =
      """
      rules:
        - {name: api, limits: [{name: user, key: user, limit: 20 per hour}]}
        - {name: trial, limits: [{name: ip, key: ip, limit: 20 per hour}], mode: shadow}
      """;

  @Test
  void keysPathsAndMethodsThatAreMadeUpLeaveTheSeriesAsTheyAre(@TempDir Path folder)
      throws IOException {
    Path rules = Files.writeString(folder.resolve("weir.yaml"), RULES);
    try (WeirServer server = WeirServer.start(Scrape.options().config(List.of(rules)))) {
      sendEverything(server, "secret-first");
      Scrape.get(server, "/metrics"); // has a series of its own, from the second time on
      Set<String> before = series(server);
      for (int i = 0; i < 300; i++) {
        sendEverything(server, "secret-" + i);
      }
      Set<String> after = series(server);
      assertThat(after).containsAll(before);
      after.removeAll(before);
      assertThat(after).isEmpty();
      assertThat(Scrape.get(server, "/metrics")).doesNotContainIgnoringCase("secret");
    }
  }

  private static void sendEverything(WeirServer server, String text) {
    for (int i = 0; i < 2; i++) { // allowed, then denied
      check(server, "{'user': '%s', 'ip': '%s', 'path': '/%s', '%s': '%s'}", text);
      check(server, "{'ip': '%s'}", text);
    }
    Scrape.send(Scrape.request(server, "/v1/check").POST(BodyPublishers.ofString(text)));
    Scrape.send(Scrape.request(server, "/" + text));
    Scrape.send(Scrape.request(server, "/v1/check?" + text).method(text, BodyPublishers.noBody()));
    Scrape.get(server, "/v1/authorize?user=" + text);
  }

  private static void check(WeirServer server, String attributes, String text) {
    String body = "{'attributes': " + attributes.replace("%s", text) + ", 'permits': 20}";
    String json = body.replace('\'', '"');
    Scrape.send(Scrape.request(server, "/v1/check").POST(BodyPublishers.ofString(json)));
  }

  private static Set<String> series(WeirServer server) {
    return Scrape.get(server, "/metrics")
        .lines()
        .filter(line -> line.startsWith("weir_"))
        .map(line -> line.substring(0, line.lastIndexOf(' ')))
        .collect(Collectors.toSet());
  }
}
