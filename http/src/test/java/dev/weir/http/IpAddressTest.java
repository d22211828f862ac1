package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IpAddressTest {
  @ParameterizedTest
  @CsvSource({
    "0.0.0.0, 0.0.0.0",
    "255.255.255.255, 255.255.255.255",
    "::, ::",
    "1::, 1::",
    "::1, ::1",
    "2001:0DB8::0001, 2001:db8::1",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "2001:db8::1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
    "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
    "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
    "0:0:0:0:0:ffff:192.0.2.1, 192.0.2.1",
    "::FFFF:c000:0201, 192.0.2.1",
    "::192.0.2.1, ::c000:201"
  })
  void equalAddressesHaveOneText(String text, String canonical) {
    assertThat(IpAddress.parse(text).orElseThrow()).hasToString(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        ":",
        ":::",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::",
        "::1::",
        "1::2::3",
        "1:::2",
        ":1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:",
        "12345::",
        "g::",
        "+1::",
        "-1::",
        "::1%0",
        "1.2.3.4::",
        "::1.2.3",
        "::1.2.3.4:5",
        "1.2.3.4.",
        ".1.2.3.4",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.256",
        "01.2.3.4",
        "1.2.3.-4",
        "0x1.2.3.4",
        "1.2.3.4 ",
        "16909060",
        "\u0661.2.3.4",
        "1:2:3:4:5:6:7:1.2.3.4",
        "0000:0000:0000:0000:0000:0000:0000:0000:0000:0000"
      })
  void whatIsNotAnAddressInDigitsIsNone(String text) {
    assertThat(IpAddress.parse(text)).isEmpty();
  }

  @Test
  void theTextOfAnAddressIsReadByTheJdkAsTheSameAddress() throws UnknownHostException {
    long seed = Long.getLong("weir.seed", 1);
    System.out.println("IpAddressTest seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = random.nextBoolean() ? new byte[4] : new byte[16];
      for (int b = 0; b < bytes.length; b++) {
        bytes[b] = random.nextInt(3) == 0 ? (byte) random.nextInt(256) : 0;
      }
      InetAddress expected = InetAddress.getByAddress(bytes);
      IpAddress read = IpAddress.parse(expected.getHostAddress()).orElseThrow();
      assertThat(InetAddress.getByName(read.toString())).isEqualTo(expected);
      assertThat(IpAddress.parse(read.toString())).contains(read);
    }
  }
}
