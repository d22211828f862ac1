package dev.weir.cli.simulate.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.ClientAddress;
import dev.weir.testkit.Fuzzing;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever stands in a log is a request or a malformed line. */
@Tag("slow")
final class LogLineFuzzTest {
  private static final List<String> LINES =
      List.of(
          "192.0.2.1 - ann [10/Oct/2026:13:55:36 +0000] \"GET /a?b=1 HTTP/1.1\" 200 12",
          "2001:db8::1 - - [10/Oct/2026:13:55:36 -0730] \"POST /login HTTP/2.0\" 401 - \"-\" \"curl\"",
          "example.org:443 192.0.2.1 - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 1",
          "{\"at\": 1500.25, \"attributes\": {\"user\": \"a\", \"path\": \"/x\"}, \"permits\": 1}",
          LogFormatsTest.ALB,
          LogFormatsTest.CLOUDFRONT,
          LogFormatsTest.ENVOY,
          LogFormatsTest.CADDY,
          LogFormatsTest.NGINX,
          "{\"at\": \"2026-10-10T13:55:36.123456Z\", \"attributes\": {\"ip\": \"192.0.2.1\"}}");

  @Test
  void everyLineIsARequestOrMalformed() {
    LogLineParser parser =
        new LogLineParser(
            LogInputFormat.AUTO, AttributeMapping.of(List.of()), ClientAddress.ofConnection());
    long tried =
        Fuzzing.run(
            "log lines",
            LINES,
            text -> {
              if (parser.skips(text)) {
                return;
              }
              try {
                assertThat(parser.read(text).permits()).isNotNegative();
              } catch (MalformedLineException malformed) {
                assertThat(malformed.getMessage()).isNotEmpty();
              }
            });
    assertThat(tried).isGreaterThan(100);
  }
}
