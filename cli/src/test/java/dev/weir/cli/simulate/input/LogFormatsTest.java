package dev.weir.cli.simulate.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.http.ClientAddress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines of servers other than those with the Common and Combined formats. */
final class LogFormatsTest {
  static final String CADDY =
      "{\"level\":\"info\",\"ts\":1791640536.25,\"logger\":\"http.log.access\",\"msg\":\"handled"
          + " request\",\"request\":{\"remote_ip\":\"10.0.0.1\",\"remote_port\":\"4711\",\"client_ip\":"
          + "\"192.0.2.1\",\"proto\":\"HTTP/2.0\",\"method\":\"GET\",\"host\":\"shop.example\",\"uri\":"
          + "\"/cart?x=1\",\"headers\":{\"X-Tenant\":[\"acme\",\"other\"],\"Accept\":[]}},\"user_id\":"
          + "\"\",\"duration\":0.1,\"size\":3,\"status\":200,\"resp_headers\":{}}";
  static final String NGINX =
      "{\"time_iso8601\":\"2026-10-10T15:55:36+02:00\",\"remote_addr\":\"192.0.2.1\",\"remote_user\":"
          + "\"mia\",\"request\":\"GET /cart?x=1 HTTP/1.1\",\"status\":\"200\",\"host\":\"shop.example\","
          + "\"http_x_forwarded_for\":\"198.51.100.1, 203.0.113.9\"}";
  static final String ALB =
      "https 2026-10-10T13:55:37.186641Z app/shop/50dc6c495c0c9188 192.0.2.1:2817 10.0.0.1:80 0.086"
          + " 0.048 0.037 200 200 0 57 \"GET https://shop.example:443/cart?x=1 HTTP/1.1\" \"curl/8.5"
          + " x\" ECDHE TLSv1.2 arn:aws:tg/x \"Root=1-5833\" \"shop.example\" \"arn:aws:acm\" 1"
          + " 2026-10-10T13:55:36.000000Z \"forward\" \"-\" \"-\"";
  static final String CLOUDFRONT =
      "2026-10-10\t13:55:36\tFRA2-C1\t2390\t192.0.2.1\tGET\td111.cloudfront.net\t/cart\t200\t-\t"
          + "curl/8.5\tx=1\t-\tHit\tSOX4==\tshop.example";
  static final String ENVOY =
      "[2026-10-10T13:55:36.000Z] \"GET /cart?x=1 HTTP/2\" 200 - 154 0 226 100 \"192.0.2.1\""
          + " \"curl/8.5\" \"cc21d9b0\" \"shop.example\" \"10.0.2.1:80\"";

  private static final Instant AT = Instant.parse("2026-10-10T13:55:36Z");
  private static final Map<String, String> REQUEST =
      Map.of(
          "ip", "192.0.2.1",
          "method", "GET",
          "path", "/cart",
          "host", "shop.example",
          "status", "200");

  @Test
  void caddysJsonIsRead() {
    LoggedRequest request = read(CADDY);
    assertThat(at(request)).isEqualTo(AT.plusMillis(250));
    assertThat(request.values()).isEqualTo(REQUEST);
  }

  @Test
  void nginxsJsonIsReadByTheNamesOfItsVariables() {
    LoggedRequest request = read(NGINX);
    assertThat(at(request)).isEqualTo(AT);
    assertThat(request.values()).containsAllEntriesOf(REQUEST).containsEntry("user", "mia");
    String parts =
        "{\"msec\":\"1791640536.000\",\"request_method\":\"GET\",\"request_uri\":\"/cart?x=1\","
            + "\"remote_addr\":\"192.0.2.1\",\"http_host\":\"shop.example\",\"status\":200,"
            + "\"remote_user\":\"-\"}";
    assertThat(at(read(parts))).isEqualTo(AT);
    assertThat(read(parts).values()).isEqualTo(REQUEST);
  }

  @Test
  void logsOfLoadBalancersAreReadWithTheTimeOfTheRequest() {
    assertThat(at(read(ALB))).isEqualTo(AT);
    assertThat(read(ALB).values()).isEqualTo(REQUEST);
    String old = ALB.substring(0, ALB.indexOf(" arn:"));
    assertThat(at(read(old))).isEqualTo(Instant.parse("2026-10-10T13:55:37.186641Z"));
  }

  @Test
  void cloudFrontsLogIsReadAndItsHeadIsNoRequest() {
    LogLineParser parser = parser(List.of("bot=cs(User-Agent)"), null);
    assertThat(parser.skips("#Version: 1.0")).isTrue();
    assertThat(at(parser.read(CLOUDFRONT))).isEqualTo(AT);
    assertThat(parser.read(CLOUDFRONT).values())
        .containsAllEntriesOf(REQUEST)
        .containsEntry("bot", "curl/8.5");
    assertThat(parser.skips("#Fields: date time c-ip cs-method cs-uri-stem sc-status")).isTrue();
    assertThat(parser.read("2026-10-10 13:55:36 192.0.2.7 POST /login 401").values())
        .isEqualTo(Map.of("ip", "192.0.2.7", "method", "POST", "path", "/login", "status", "401"));
  }

  @Test
  void envoysDefaultFormatIsReadWithTheForwardedAddress() {
    assertThat(at(read(ENVOY))).isEqualTo(AT);
    assertThat(read(ENVOY).values()).isEqualTo(REQUEST);
    LoggedRequest direct = read(ENVOY.replace("\"192.0.2.1\"", "\"-\""));
    assertThat(direct.values()).doesNotContainKey("ip");
    assertThat(direct.unknownClient()).isNull();
  }

  @Test
  void nestedFieldsAndListsOfAddressesCanBeMapped() {
    assertThat(parser(List.of("tenant=request.headers.X-Tenant"), null).read(CADDY).values())
        .containsEntry("tenant", "acme");
    assertThat(parser(List.of("ip=http_x_forwarded_for"), null).read(NGINX).values())
        .containsEntry("ip", "203.0.113.9");
  }

  @ParameterizedTest
  @CsvSource({
    "1791640536, 2026-10-10T13:55:36Z",
    "1791640536.000001, 2026-10-10T13:55:36.000001Z",
    "1791640536000, 2026-10-10T13:55:36Z",
    "1791640536000000, 2026-10-10T13:55:36Z",
    "1.791640536e9, 2026-10-10T13:55:36Z",
    "2026-10-10T13:55:36Z, 2026-10-10T13:55:36Z",
    "10/Oct/2026:15:55:36 +0200, 2026-10-10T13:55:36Z",
  })
  void theFieldWithTheTimeCanBeNamed(String text, Instant at) {
    LogLineParser parser = parser(List.of("user=who"), "x.when");
    LoggedRequest request = parser.read("{\"x\":{\"when\":\"" + text + "\"},\"who\":\"mia\"}");
    assertThat(at(request)).isEqualTo(at);
    assertThat(request.values()).isEqualTo(Map.of("user", "mia"));
    assertThatThrownBy(() -> parser.read("{\"ts\":1}"))
        .hasMessage("x.when is missing, which was to have the time");
  }

  @Test
  void aClientThatIsNoAddressIsNotAKey() {
    LoggedRequest request = read(CADDY.replace("192.0.2.1", "unix"));
    assertThat(request.values()).doesNotContainKey("ip");
    assertThat(request.unknownClient()).isEqualTo("unix");
    assertThat(read("{\"at\":1,\"client\":\"x\"}").unknownClient()).isNull();
  }

  private static Instant at(LoggedRequest request) {
    return Instant.EPOCH.plus(request.atMicros(), ChronoUnit.MICROS);
  }

  private static LoggedRequest read(String line) {
    return parser(List.of(), null).read(line);
  }

  private static LogLineParser parser(List<String> map, @Nullable String timeField) {
    return new LogLineParser(
        LogInputFormat.AUTO, AttributeMapping.of(map), ClientAddress.ofConnection(), timeField);
  }
}
