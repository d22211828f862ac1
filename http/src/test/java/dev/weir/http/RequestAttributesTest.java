package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestAttributesTest {
  private static final ClientAddress ADDRESSES = ClientAddress.ofConnection();

  @Test
  void pathAddressAndMethodAreBroughtIntoOneFormAndOthersLeftAlone() {
    RequestAttributes read =
        RequestAttributes.read(
            Map.of("path", "/x/../a%2Fb", "ip", "2001:DB8::1", "method", "post", "host", "//X"),
            ADDRESSES);
    assertThat(read.values())
        .isEqualTo(Map.of("path", "/a/b", "ip", "2001:db8::/64", "method", "POST", "host", "//X"));
    assertThat(read.otherPaths()).isEqualTo(List.of("/a%2Fb"));
    assertThat(RequestAttributes.read(Map.of(), ADDRESSES).values()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 192.0.2.1",
    "192.0.2.1:443, 192.0.2.1",
    "::ffff:192.0.2.1, 192.0.2.1",
    "::FFFF:c000:201, 192.0.2.1",
    "[::ffff:192.0.2.1]:443, 192.0.2.1",
    "2001:db8:1:2::3, 2001:db8:1:2::/64",
    "2001:DB8:1:2:ffff::1, 2001:db8:1:2::/64",
    "[2001:db8:1:2::3], 2001:db8:1:2::/64",
    "[2001:db8:1:2::3]:443, 2001:db8:1:2::/64",
    "fe80::1%eth0, fe80::/64",
    "[fe80::1%25eth0]:443, fe80::/64",
    "' 192.0.2.1 ', 192.0.2.1",
  })
  void everySpellingOfAnAddressIsOneKey(String given, String ip) {
    assertThat(RequestAttributes.read(Map.of("ip", given), ADDRESSES).values().get("ip"))
        .isEqualTo(ip);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "unknown", "a", "1.2.3", "2001:db8::/64", "1.2.3.4, 5.6.7.8", "%"})
  void whatIsNoAddressStaysAsItIs(String given) {
    assertThat(RequestAttributes.read(Map.of("ip", given), ADDRESSES).values().get("ip"))
        .isEqualTo(given);
  }

  @Test
  void thePrefixIsThatOfTheAddresses() {
    ClientAddress bySite = ADDRESSES.withIpv6Prefix(48);
    assertThat(RequestAttributes.read(Map.of("ip", "2001:db8:1:2::3"), bySite).values().get("ip"))
        .isEqualTo("2001:db8:1::/48");
  }

  @Test
  void aPathThatCannotBeReadIsRefused() {
    assertThatThrownBy(() -> RequestAttributes.read(Map.of("path", "/x/..;/login"), ADDRESSES))
        .isInstanceOf(AmbiguousPathException.class);
  }
}
