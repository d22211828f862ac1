package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ClientAddressTest {
  private static final ClientAddress PROXIED =
      ClientAddress.behind(List.of("10.0.0.0/8", "192.0.2.7", "2001:db8:ffff::/48"));

  @Test
  void headersAreNotEvenAskedForWithoutTrustedProxies() {
    ClientAddress direct = ClientAddress.ofConnection();

    assertThat(direct.resolve("198.51.100.1", ClientAddressTest::notAsked))
        .isEqualTo("198.51.100.1");
  }

  @Test
  void headersOfAStrangerAreNotEvenAskedFor() {
    assertThat(PROXIED.resolve("198.51.100.1", ClientAddressTest::notAsked))
        .isEqualTo("198.51.100.1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "203.0.113.9                               | 203.0.113.9",
        "6.6.6.6, 203.0.113.9                      | 203.0.113.9",
        "6.6.6.6, 203.0.113.9, 10.1.2.3, 192.0.2.7 | 203.0.113.9",
        "10.0.0.9, 10.0.0.8                        | 10.0.0.9",
        "203.0.113.9:4711,10.1.2.3:80              | 203.0.113.9",
        "[2001:db8:1:2:3:4:5:6]:4711               | 2001:db8:1:2::/64",
        "[2001:db8:1:2:3:4:5:6]                    | 2001:db8:1:2::/64",
        "2001:DB8:1:2:3:4:5:6                      | 2001:db8:1:2::/64",
        "203.0.113.9, 2001:db8:ffff:1::1           | 203.0.113.9",
        "::ffff:203.0.113.9                        | 203.0.113.9",
        "203.0.113.9, ::ffff:10.1.2.3              | 203.0.113.9",
        ", 203.0.113.9, ,                          | 203.0.113.9",
        "6.6.6.6, unknown                          | 10.0.0.1",
        "6.6.6.6, nonsense, 10.0.0.5               | 10.0.0.5",
        "6.6.6.6, 10.0.0.256, 10.0.0.5             | 10.0.0.5",
        "6.6.6.6, 10.0.0.5:port                    | 10.0.0.1",
        "6.6.6.6, 010.0.0.5                        | 10.0.0.1",
        "6.6.6.6, [10.0.0.5]                       | 10.0.0.1",
        "6.6.6.6, 10.0.0.5 10.0.0.6                | 10.0.0.1",
        "'   '                                     | 10.0.0.1",
      })
  void theWalkGoesLeftUntilAStrangerOrAnEntryThatIsNoAddress(String field, String client) {
    assertThat(PROXIED.resolve("10.0.0.1", Map.of("X-Forwarded-For", List.of(field))::get))
        .isEqualTo(client);
  }

  @Test
  void severalLinesAreOneListAndAnAbsentFieldIsNone() {
    Map<String, List<String>> lines =
        Map.of("X-Forwarded-For", List.of("6.6.6.6", "203.0.113.9, 10.0.0.7", "", "10.0.0.8"));

    assertThat(PROXIED.resolve("10.0.0.1", lines::get)).isEqualTo("203.0.113.9");
    assertThat(PROXIED.resolve("10.0.0.1", name -> List.of())).isEqualTo("10.0.0.1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "for=203.0.113.9                                          | 203.0.113.9",
        "for=6.6.6.6, For=203.0.113.9;proto=https;by=10.0.0.1     | 203.0.113.9",
        "proto=https ; for=\"203.0.113.9:4711\", for=10.0.0.3     | 203.0.113.9",
        "for=\"[2001:db8:1:2:3:4:5:6]:4711\";                     | 2001:db8:1:2::/64",
        "for=[2001:db8:1:2:3:4:5:6]                               | 2001:db8:1:2::/64",
        "for=6.6.6.6, for=unknown                                 | 10.0.0.1",
        "for=6.6.6.6, for=_hidden, for=10.0.0.3                   | 10.0.0.3",
        "for=6.6.6.6, proto=https                                 | 10.0.0.1",
        "for=6.6.6.6, for=203.0.113.9;for=6.6.6.6                 | 10.0.0.1",
        "for=6.6.6.6, for=\"10.0.0.3                              | 10.0.0.1",
        "for=6.6.6.6, for=10.0.0.3;x                              | 10.0.0.1",
        "for=\"6.6.6.6, for=203.0.113.9                           | 203.0.113.9",
        "for=203.0.113.9;host=\"x,for=6.6.6.6\"                   | 10.0.0.1",
        "for=203.0.113.9;host=\"x,for=6.6.6.6;y=\"                | 10.0.0.1",
        "for=203.0.113.9;host=\"x;for=6.6.6.6;y\"                 | 203.0.113.9",
        "203.0.113.9                                              | 10.0.0.1",
      })
  void theForwardedFieldIsReadTheSameWay(String field, String client) {
    Map<String, List<String>> headers = Map.of("Forwarded", List.of(field));

    assertThat(PROXIED.readingForwarded().resolve("10.0.0.1", headers::get)).isEqualTo(client);
  }

  @Test
  void onlyTheFieldThatTheProxiesWriteIsRead() {
    Map<String, List<String>> headers =
        Map.of("X-Forwarded-For", List.of("203.0.113.9"), "Forwarded", List.of("for=6.6.6.6"));

    assertThat(PROXIED.resolve("10.0.0.1", headers::get)).isEqualTo("203.0.113.9");
    assertThat(PROXIED.readingForwarded().resolve("10.0.0.1", headers::get)).isEqualTo("6.6.6.6");
  }

  @ParameterizedTest
  @CsvSource({
    "64, 2001:db8::1:2:3:4, 2001:db8::/64",
    "56, 2001:db8:1:2ff:3::, 2001:db8:1:200::/56",
    "48, 2001:db8:1:2ff:3::, 2001:db8:1::/48",
    "1, ffff::, 8000::/1",
    "127, 2001:db8::3, 2001:db8::2/127",
    "128, 2001:db8::3, 2001:db8::3",
    "64, fe80:0:0:0:0:0:0:1%eth0, fe80::/64",
    "64, ::1, ::/64",
    "64, 198.51.100.1, 198.51.100.1",
    "64, 0:0:0:0:0:ffff:c633:6401, 198.51.100.1"
  })
  void ipv6IsGroupedByItsPrefix(int prefix, String peer, String client) {
    ClientAddress address = ClientAddress.ofConnection().withIpv6Prefix(prefix);

    assertThat(address.resolve(peer, ClientAddressTest::notAsked)).isEqualTo(client);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "localhost", "unix:/run/x.sock", "1.2.3", "%", "1.2.3.4\r\n"})
  void aPeerThatIsNoAddressIsUnknown(String peer) {
    assertThat(PROXIED.resolve(peer, ClientAddressTest::notAsked)).isEqualTo("unknown");
  }

  @Test
  void everyFaultOfTheTrustedProxiesIsReported() {
    List<String> proxies =
        List.of("10.0.0.0/8", "proxy.local", "10.1.2.3/8", "10.0.0.0/33", "::ffff:10.0.0.0/95");

    assertThatThrownBy(() -> ClientAddress.behind(proxies))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "trusted proxy must be an address or a network such as 10.0.0.0/8, was \"proxy.local\"\n"
                + "trusted proxy must have no bits set after its prefix, was \"10.1.2.3/8\";"
                + " the network is 10.0.0.0/8\n"
                + "trusted proxy must be an address or a network such as 10.0.0.0/8,"
                + " was \"10.0.0.0/33\"\n"
                + "trusted proxy must be an address or a network such as 10.0.0.0/8,"
                + " was \"::ffff:10.0.0.0/95\"");
  }

  @Test
  void aFoldedNetworkHoldsIpv4Addresses() {
    ClientAddress address = ClientAddress.behind(List.of("::ffff:10.0.0.0/104"));

    assertThat(address.resolve("10.9.9.9", name -> List.of("203.0.113.9")))
        .isEqualTo("203.0.113.9");
  }

  @Test
  void aNetworkOfEverythingHoldsOneFamily() {
    ClientAddress address = ClientAddress.behind(List.of("0.0.0.0/0"));

    assertThat(address.resolve("10.9.9.9", name -> List.of("8.8.8.8, ::1, 9.9.9.9")))
        .isEqualTo("::/64");
  }

  @Test
  void aPrefixMustFitAnAddress() {
    assertThatThrownBy(() -> PROXIED.withIpv6Prefix(129))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("prefix must be between 1 and 128, was 129");
  }

  private static List<String> notAsked(String name) {
    throw new AssertionError(name + " was asked for");
  }
}
