package dev.weir.redis.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.weir.redis.RedisTls.Verification;
import dev.weir.redis.internal.connection.ServerAddress.HostAndPort;
import dev.weir.redis.internal.connection.ServerAddress.TopologyKind;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** FAULTS 63: any password can be given, and none is shown. */
final class AddressParserTest {
  @Test
  void everyPartIsRead() {
    assertThat(AddressParser.parse("rediss-sentinel://me:pw@one:1,[::1]/3?verifyPeer=CA#main"))
        .isEqualTo(
            new ServerAddress(
                TopologyKind.SENTINEL,
                true,
                "me",
                "pw",
                List.of(new HostAndPort("one", 1), new HostAndPort("::1", 26379)),
                3,
                "main",
                Verification.CA));
  }

  @ParameterizedTest
  @CsvSource({"'', FULL", "?verifyPeer=FULL, FULL", "?verifyPeer=ca, CA", "?verifyPeer=NONE, NONE"})
  void theAddressSaysWhatIsCheckedOfCertificates(String query, Verification checked) {
    ServerAddress address = AddressParser.parse("rediss://:p?verifyPeer=x@a:1" + query);
    assertThat(address.verification()).isEqualTo(checked);
    assertThat(address.uri(Duration.ofSeconds(1)).getVerifyMode())
        .isEqualTo(SslVerifyMode.valueOf(checked.name()));
    assertThat(address.warnings()).hasSize(checked == Verification.FULL ? 0 : 1);
    assertThat(
            AddressParser.parse("rediss-sentinel://a:1,b:2" + query + "#m")
                .uri(Duration.ofSeconds(1)))
        .satisfies(
            uri ->
                assertThat(uri.getSentinels())
                    .hasSize(2)
                    .allMatch(each -> each.getVerifyMode().name().equals(checked.name())));
  }

  @ParameterizedTest
  @CsvSource({
    "redis://host, redis://host:6379",
    "rediss://host:1/, rediss://host:1",
    "redis://:pw@host/2, redis://***@host:6379/2",
    "redis://pw@host, redis://***@host:6379",
    "redis://user:@host, redis://host:6379",
    "'redis-cluster://u:p@a:1, b:2', 'redis-cluster://***@a:1,b:2'",
    "redis-sentinel://a/0#m, redis-sentinel://a:26379#m",
    "redis://[::1]:7, redis://[::1]:7",
    "rediss://a?verifyPeer=full, rediss://a:6379",
    "rediss://a/2?verifyPeer=ca, rediss://a:6379/2?verifyPeer=CA",
    "rediss-sentinel://a?verifyPeer=none#m, rediss-sentinel://a:26379?verifyPeer=NONE#m",
  })
  void anAddressIsShownWithoutItsPassword(String address, String shown) {
    assertThat(AddressParser.mask(address)).isEqualTo(shown);
    assertThat(AddressParser.parse(address)).hasToString(shown);
  }

  static Stream<String> printablePasswords() {
    return Stream.concat(
        IntStream.rangeClosed(' ', '~').mapToObj(c -> "a" + (char) c + "b"),
        Stream.of(
            "p@ss/w:rd?#[x]", "%zz", "100%", "\u00fc\u20ac", "::", "@", "/", "#", "a b", "[", "]"));
  }

  @ParameterizedTest
  @MethodSource("printablePasswords")
  void aPasswordMayHoldAnyCharacterAsItIsAndPercentEncoded(String password) {
    String encoded = URLEncoder.encode(password, StandardCharsets.UTF_8).replace("+", "%20");
    for (String written : new String[] {password, encoded}) {
      for (String scheme : new String[] {"redis://", "rediss-cluster://"}) {
        String address = scheme + "user:" + written + "@host:1";
        assertThat(AddressParser.parse(address).password()).as(address).isEqualTo(password);
        assertThat(AddressParser.parse(address).user()).isEqualTo("user");
        assertThat(AddressParser.mask(address)).isEqualTo(scheme + "***@host:1");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://:SECRET%zz%41@host",
        "redis://:SECRET%ff@host",
        "redis://:SECRET",
        "redis://user:SECRET@",
        "redis://SECRET#x",
        "redis://user:SECRET@ho st",
        "redis://user:SECRET@host:0",
        "redis://user:SECRET@host:70000",
        "redis://user:SECRET@a,b",
        "redis://user:SECRET@host/x",
        "redis://user:SECRET@host?timeout=1s",
        "redis://user:SECRET@host?verifyPeer=CA",
        "rediss://user:SECRET@host?verifyPeer=",
        "rediss://user:SECRET@host?verifyPeer=SECRET",
        "rediss://user:SECRET@host?verifyPeer=CA&timeout=1s",
        "rediss://SECRET?verifyPeer=CA/x",
        "redis://user:SECRET@host#main",
        "redis-sentinel://user:SECRET@host",
        "redis-cluster://user:SECRET@host/1",
        "redis:SECRET",
        "SECRET",
        "http://user:SECRET@host",
        " redis://user:SECRET@host",
        "redis-socket://SECRET",
      })
  void aFaultyAddressIsRefusedWithoutASecret(String address) {
    Throwable refused = catchThrowable(() -> AddressParser.parse(address));
    assertThat(refused)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("address must ")
        .hasMessageNotContaining("SECRET")
        .hasNoCause();
    assertThat(AddressParser.mask(address)).doesNotContain("SECRET");
  }

  @Test
  void theMessagesSayWhatToDo() {
    assertThatThrownBy(() -> AddressParser.parse("redis://user:a%41%zz@host"))
        .hasMessage(
            "address must be redis://user:password@host:port/database; percent-encode the password,"
                + " each % as %25");
    assertThatThrownBy(() -> AddressParser.parse("redis://user:pass@ho[st"))
        .hasMessage(
            "address must be redis://user:password@host:port/database; percent-encode the password"
                + " if it has special characters");
    assertThatThrownBy(() -> AddressParser.parse("rediss://host?verifyPeer=no"))
        .hasMessage(
            "address must be rediss://user:password@host:port/database; the only parameter is"
                + " verifyPeer, which is FULL, CA or NONE; percent-encode the password if it has"
                + " special characters");
    assertThatThrownBy(() -> AddressParser.parse("redis://host?verifyPeer=CA"))
        .hasMessage(
            "address must be redis://user:password@host:port/database; only addresses that begin"
                + " with rediss have a parameter; percent-encode the password if it has special"
                + " characters");
    assertThatThrownBy(() -> AddressParser.parse("mysql://host"))
        .hasMessage(
            "address must start with redis://, rediss://, redis-sentinel://, rediss-sentinel://,"
                + " redis-cluster:// or rediss-cluster://, was mysql://***");
  }

  @Test
  void theClientGetsWhatTheAddressSays() {
    RedisURI uri =
        AddressParser.parse("rediss-sentinel://u:p%20w@a:1,b:2/4#main").uri(Duration.ofSeconds(3));
    assertThat(uri.getSentinels()).extracting(RedisURI::getHost).containsExactly("a", "b");
    assertThat(uri.getSentinels()).allMatch(RedisURI::isSsl);
    assertThat(uri.getSentinelMasterId()).isEqualTo("main");
    assertThat(uri.getDatabase()).isEqualTo(4);
    assertThat(uri.isSsl()).isTrue();
    assertThat(uri.getTimeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(uri.toString()).doesNotContain("p w").doesNotContain("p%20w");
  }
}
