package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Whatever a name or a header holds, what comes out is well-formed. */
final class HostileTextTest {
  private static final int ROUNDS = 5_000;

  private static final String ITEM =
      "\"(?:[ !#-\\[\\]-~]|\\\\[\"\\\\])*+\"(?:;[a-z]=(?:0|[1-9]\\d{0,14}))++";
  private static final Pattern LIST = Pattern.compile(ITEM + "(?:, " + ITEM + ")*+");
  private static final Pattern JSON_LINE =
      Pattern.compile("(?:[^\"\\x00-\\x1f]|\"(?:[^\"\\\\\\x00-\\x1f]|\\\\[\"\\\\u])*+\")*+");
  private static final Pattern ADDRESS =
      Pattern.compile("unknown|[0-9]+(\\.[0-9]+){3}|[0-9a-f:]+/64");

  private final RandomDecisions decisions = new RandomDecisions("HostileTextTest");

  @Test
  void noNameBreaksAField() {
    RateLimitFields fields = RateLimitFields.standard().withLegacyDelta();
    for (int i = 0; i < ROUNDS; i++) {
      fields.of(decisions.next()).forEach(HostileTextTest::checkField);
    }
  }

  @Test
  void noNameBreaksJson() {
    for (int i = 0; i < ROUNDS; i++) {
      StringBuilder out = new StringBuilder();
      DecisionJson.write(decisions.next(), out);
      assertThat(out).matches(JSON_LINE);
      String text = out.toString();
      assertThat(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
          .isEqualTo(text);
    }
  }

  @Test
  void noHeaderBreaksAnAddress() {
    ClientAddress proxied = ClientAddress.behind(List.of("0.0.0.0/0"));
    for (int i = 0; i < ROUNDS; i++) {
      List<String> lines =
          List.of("1.2.3.4," + decisions.text(), "for=" + decisions.text() + ",for=\"1.2.3.4\"");
      assertThat(proxied.resolve("10.0.0.1", name -> lines)).matches(ADDRESS);
      assertThat(proxied.readingForwarded().resolve("10.0.0.1", name -> lines)).matches(ADDRESS);
      assertThat(proxied.resolve(decisions.text(), name -> lines)).matches(ADDRESS);
    }
  }

  private static void checkField(String name, String value) {
    if (name.startsWith("RateLimit")) {
      assertThat(value).matches(LIST);
    } else {
      assertThat(value).matches("no-store|[0-9]+");
    }
  }
}
