package dev.weir.cli.simulate.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.http.ClientAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How lines of a log become requests. */
final class LogInputTest {
  private static final LoggedClient CLIENTS = new LoggedClient(ClientAddress.ofConnection());
  private static final JsonLogFields FIELDS = new JsonLogFields(CLIENTS, null);

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1500.25, 1500250",
    "1500.2509, 1500250",
    "0.001, 1",
    "1e3, 1000000",
    "1.5E-3, 1",
    "1e-999999999, 0",
    "1772409600000.125, 1772409600000125",
  })
  void millisecondsAreExactToTheMicrosecond(String number, long micros) {
    assertThat(LogTimestamps.ofMillis(number)).isEqualTo(micros);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "1e15", "1e999999999", "99999999999999999999"})
  void timesThatNoStoreCanHoldAreRefused(String number) {
    assertThatThrownBy(() -> LogTimestamps.ofMillis(number))
        .hasMessage("at must be between 1970 and 2149, was " + number);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "{}",
        "{\"at\":1",
        "{\"at\":01}",
        "{\"at\":1,}",
        "{\"at\":1,\"at\":2}",
        "{\"at\":.5}",
        "{\"at\":1e2147483647}",
        "{\"at\":1501e99900000000000000}",
        "{'at':1}",
        "{\"at\":1,\"x\":\"\\q\"}",
        "{\"at\":1,\"x\":[1,2}",
        "{\"at\":1,\"x\":\"",
        "{\"at\":null}",
        "{\"at\":1,\"permits\":-1}",
        "{\"at\":1,\"attributes\":[]}",
        "{\"at\":1,\"attributes\":{\"a\":\"1\",\"a\":\"2\"}}",
      })
  void whatIsNotARequestInJsonIsRefused(String text) {
    assertThatThrownBy(() -> JsonLineParser.read(text, new HashMap<>(), FIELDS))
        .isInstanceOf(MalformedLineException.class);
  }

  @Test
  void jsonMayBeNestedButNotWithoutEnd() {
    String deep = "{\"at\":1,\"x\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
    assertThatThrownBy(() -> JsonLineParser.read(deep, new HashMap<>(), FIELDS))
        .hasMessageStartingWith("no JSON: less nesting is expected");
  }

  @Test
  void attributesKeepWhatTheTextSays() {
    String text =
        "{\"at\":1,\"attributes\":{\"a\":\"\\u00fc\\n\\\"\",\"n\":1.50,\"t\":true,\"z\":null},"
            + "\"other\":{\"x\":[1,{}]}}";
    assertThat(JsonLineParser.read(text, new HashMap<>(), FIELDS).attributes())
        .isEqualTo(Map.of("a", "ü\n\"", "n", "1.50", "t", "true"));
  }

  @Test
  void otherFieldsBecomeAttributes() {
    LogLineParser reader =
        new LogLineParser(
            LogInputFormat.AUTO,
            AttributeMapping.of(
                List.of("user=$x_user", "tenant=path/2", "bot=agent", "none=nothing")),
            ClientAddress.ofConnection());
    assertThat(
            reader
                .read("{\"at\":1,\"x_user\":\"mia\",\"attributes\":{\"path\":\"/t/acme/x\"}}")
                .values())
        .isEqualTo(Map.of("user", "mia", "tenant", "acme", "path", "/t/acme/x"));
    assertThat(
            reader
                .read("h - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 1 \"-\" \"curl\"")
                .values())
        .containsEntry("bot", "curl")
        .doesNotContainKeys("tenant", "user", "none");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "192.0.2.1 - mia                       | 192.0.2.1         | none           | mia",
        "192.0.2.1 - mia maier                 | 192.0.2.1         | none           | mia maier",
        "192.0.2.1:4711 - -                    | 192.0.2.1         | none           | none",
        "::ffff:192.0.2.1 - -                  | 192.0.2.1         | none           | none",
        "2001:db8::1 - -                       | 2001:db8::/64     | none           | none",
        "fe80::1%eth0 - -                      | fe80::/64         | none           | none",
        "shop.example:443 192.0.2.1 - mia      | 192.0.2.1         | shop.example   | mia",
        "shop.example 192.0.2.1 - -            | 192.0.2.1         | shop.example   | none",
        "198.51.100.7:80 192.0.2.1 - -         | 192.0.2.1         | 198.51.100.7   | none",
        "[2001:db8::7]:80 192.0.2.1 - -        | 192.0.2.1         | [2001:db8::7]  | none",
        "192.0.2.1, 203.0.113.9 - mia          | 203.0.113.9       | none           | mia",
        "192.0.2.1,203.0.113.9 - -             | 203.0.113.9       | none           | none",
        "192.0.2.1, 203.0.113.9, 10.0.0.1 - -  | 203.0.113.9       | none           | none",
        "forged, 10.0.0.1 - -                  | 10.0.0.1          | none           | none",
        "a.example:80 192.0.2.1, 10.0.0.1 - -  | 192.0.2.1         | a.example      | none",
        "h - mia                               | none              | none           | mia",
        "- - -                                 | none              | none           | none",
        "unknown, - - -                        | none              | none           | none",
      })
  void theClientOfAnAccessLogIsItsAddressAndNothingElse(
      String front, String ip, String host, String user) {
    ClientAddress addresses = ClientAddress.behind(List.of("10.0.0.0/8"));
    LogLineParser parser =
        new LogLineParser(LogInputFormat.AUTO, AttributeMapping.of(List.of()), addresses);
    LoggedRequest request =
        parser.read(front + " [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 1");
    assertThat(request.values().get("ip")).isEqualTo(ip);
    assertThat(request.values().get("host")).isEqualTo(host);
    assertThat(request.values().get("user")).isEqualTo(user);
    assertThat(request.unknownClient() == null).isEqualTo(ip != null);
  }

  @Test
  void whatStandsInThePlaceOfTheAddressCanBeTakenOnPurpose() {
    LogLineParser parser =
        new LogLineParser(
            LogInputFormat.AUTO,
            AttributeMapping.of(List.of("ip=client")),
            ClientAddress.ofConnection());
    LoggedRequest request =
        parser.read("h.example - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 1");
    assertThat(request.values()).containsEntry("ip", "h.example");
    assertThat(request.unknownClient()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "GET /, GET /",
    "\\x5Clogin, \\login",
    "\\\\login, \\login",
    "\\x16\\x03\\n\\q, '\u0016\u0003\n\\q'",
    "say \\\"hi\\\", say \"hi\"",
    "\\xzz\\x1, \\xzz\\x1",
    "end\\, end\\",
  })
  void escapesOfWebServersAreUndone(String logged, String sent) {
    assertThat(LogEscapes.decode(logged)).isEqualTo(sent);
  }

  @ParameterizedTest
  @ValueSource(strings = {"user", "=x", "user=", "tenant=path/0", "tenant=path/x"})
  void aMapThatSaysNothingIsRefused(String text) {
    assertThatThrownBy(() -> AttributeMapping.of(List.of(text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--map must ")
        .hasMessageEndingWith("was " + text);
  }

  @Test
  void theSampleIsInOrderAndTheSameForASeed() {
    String sample = SampleLogGenerator.of(2000, 1);
    assertThat(sample)
        .isEqualTo(SampleLogGenerator.of(2000, 1))
        .isNotEqualTo(SampleLogGenerator.of(2000, 2));
    AccessLogParser reader = new AccessLogParser(CLIENTS);
    List<Long> times =
        sample.lines().map(line -> reader.read(line, new HashMap<>()).atMicros()).toList();
    assertThat(times).hasSize(2000).isSorted();
  }
}
