package dev.weir.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.ClientAddress;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.Fuzzing;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever a body holds is a question, or refused as a client's mistake. */
@Tag("slow")
final class RequestBodyFuzzTest {
  private static final List<String> BODIES =
      List.of(
          "{\"attributes\": {\"user\": \"a\", \"path\": \"/x\", \"ip\": \"192.0.2.1\"}, \"permits\": 1}",
          "{\"attributes\": {\"n\": 1, \"t\": true, \"x\": null}, \"permits\": 9007199254740991}",
          "{\"attributes\": {\"user\": \"\\u00e9\\ud83d\\ude00\"}, \"receipt\": \"abc\"}",
          "{\"attributes\": {}, \"limit\": \"login\", \"seconds\": 60}");

  @Test
  void everyBodyIsAQuestionOrABadRequest() {
    ClientAddress addresses = ClientAddress.ofConnection();
    List<String> members =
        List.of("attributes", "permits", "receipt", "limit", "seconds", "status");
    long tried =
        Fuzzing.run(
            "request bodies",
            BODIES,
            text -> {
              try {
                CheckRequestBody.parse(Buffer.buffer(text), members, addresses);
              } catch (BadRequestException refused) {
                assertThat(refused.getMessage())
                    .hasSizeLessThan(1_000)
                    .doesNotContain("\n", "\r", "com.fasterxml");
              }
            });
    assertThat(tried).isGreaterThan(100);
    FaultReport.row("74 fuzzed bodies", (int) tried, "a question or 400 in our own words");
  }
}
