package dev.weir.server.http.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.http.BadRequestException;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.Fuzzing;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever is posted to {@code /json} is a call, or refused as a client's mistake. */
@Tag("slow")
final class RateLimitJsonFuzzTest {
  private static final List<String> BODIES =
      List.of(
          "{\"domain\":\"shop\",\"descriptors\":[{\"entries\":[{\"key\":\"user\",\"value\":\"ann\"}]}]}",
          "{\"domain\":\"shop\",\"hits_addend\":\"4294967295\",\"descriptors\":[{\"entries\":[{\"key\":\"a\"}],"
              + "\"hitsAddend\":3,\"isNegativeHits\":true,"
              + "\"limit\":{\"requestsPerUnit\":7,\"unit\":\"MINUTE\"}}]}",
          "{\"domain\":null,\"descriptors\":[{\"limit\":{\"unit\":4}},{\"entries\":[]}]}");

  @Test
  void everyBodyIsACallOrABadRequest() {
    long tried =
        Fuzzing.run(
            "bodies of /json",
            BODIES,
            text -> {
              try {
                RateLimitJsonReader.read(text.getBytes(StandardCharsets.UTF_8));
              } catch (BadRequestException refused) {
                assertThat(refused.getMessage())
                    .hasSizeLessThan(1_000)
                    .doesNotContain("\n", "\r", "com.fasterxml");
              }
            });
    assertThat(tried).isGreaterThan(100);
    FaultReport.row("74 fuzzed bodies of /json", (int) tried, "a call or 400 in our own words");
  }
}
