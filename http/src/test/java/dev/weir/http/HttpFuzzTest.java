package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Fuzzing;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever a client or a proxy sends is read or refused, never a failure. */
@Tag("slow")
final class HttpFuzzTest {
  private static final List<String> PATHS =
      List.of(
          "/login",
          "/api/items?q=1",
          "/%6cogin",
          "/a/../b//c/./d",
          "/api%2Fitems;v=1",
          "http://host/a/b",
          "/caf%C3%A9",
          "*");
  private static final List<String> ADDRESSES =
      List.of(
          "192.0.2.1",
          "2001:db8::1",
          "::ffff:192.0.2.1",
          "[2001:db8::1]:443",
          "fe80::1%eth0",
          "192.0.2.1, 10.0.0.1, 2001:db8::7",
          "for=192.0.2.60;proto=http;by=203.0.113.43",
          "for=\"[2001:db8:cafe::17]:4711\", for=unknown");

  @Test
  void everyPathIsReadOrRefusedAndWhatWasReadStaysAsItIs() {
    long tried =
        Fuzzing.run(
            "paths",
            PATHS,
            text -> {
              try {
                RequestPath path = RequestPath.of(text);
                assertThat(path.text()).startsWith("/").doesNotContain("//", "/../", "?");
                assertThat(path.otherReadings()).hasSizeLessThan(16);
                assertThat(RequestPath.normalise(path.text())).isEqualTo(path.text());
              } catch (AmbiguousPathException refused) {
                assertThat(refused.getMessage()).hasSizeLessThan(800).doesNotContain("\n", "\r");
              }
            });
    assertThat(tried).isGreaterThan(100);
  }

  @Test
  void everyForwardingFieldGivesAnAddressOrUnknown() {
    ClientAddress lists = ClientAddress.behind(List.of("10.0.0.0/8", "2001:db8::/32"));
    ClientAddress forwarded = lists.readingForwarded();
    long tried =
        Fuzzing.run(
            "forwarding fields",
            ADDRESSES,
            text -> {
              for (ClientAddress addresses : List.of(lists, forwarded)) {
                String client = addresses.resolve("10.0.0.1", name -> List.of(text));
                assertThat(client).isNotEmpty().hasSizeLessThan(64).doesNotContain("\n", " ");
                String direct = addresses.resolve(text, name -> List.of());
                assertThat(direct).isNotEmpty().hasSizeLessThan(64);
              }
            });
    assertThat(tried).isGreaterThan(100);
  }

  @Test
  void everyAttributeIsTakenOrRefused() {
    ClientAddress addresses = ClientAddress.ofConnection();
    long tried =
        Fuzzing.run(
            "attributes",
            List.of("GET", "192.0.2.1", "2001:db8::1", "/login"),
            text -> {
              try {
                Map<String, String> given =
                    Map.of("path", "/" + text, "ip", text, "method", text, "user", text);
                assertThat(RequestAttributes.read(given, addresses).values())
                    .containsEntry("user", text)
                    .containsKeys("path", "ip", "method");
              } catch (AmbiguousPathException refused) {
                assertThat(refused.getMessage()).isNotEmpty();
              }
            });
    assertThat(tried).isGreaterThan(100);
  }
}
