package dev.weir.redis.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Fuzzing;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever address is given is read, or refused; neither shows the password. */
@Tag("slow")
final class AddressFuzzTest {
  private static final String PASSWORD = "S3CR3T";
  private static final List<String> ADDRESSES =
      List.of(
          "redis://user:S3CR3T@host:6379/3",
          "rediss-sentinel://me:S3CR3T%41@one:1,[::1],two/3#main",
          "redis-cluster://:S3CR3T@10.0.0.1:7000,10.0.0.2:7001");

  @Test
  void everyAddressIsReadOrRefusedWithoutItsPassword() {
    long tried =
        Fuzzing.run(
            "store addresses",
            ADDRESSES,
            text -> {
              boolean secret = isBehindScheme(text);
              try {
                String shown = AddressParser.parse(text).toString();
                if (secret && text.lastIndexOf('@') > text.lastIndexOf(PASSWORD)) {
                  assertThat(shown).doesNotContain(PASSWORD);
                }
              } catch (IllegalArgumentException refused) {
                assertThat(refused.getMessage()).doesNotContain("\n", "\r");
                if (secret) {
                  assertThat(refused.getMessage()).doesNotContain(PASSWORD);
                  assertThat(AddressParser.mask(text)).doesNotContain(PASSWORD);
                }
              }
            });
    assertThat(tried).isGreaterThan(20);
  }

  /** A password in the place of the scheme cannot be known for one. */
  private static boolean isBehindScheme(String text) {
    int scheme = text.indexOf("://");
    return scheme > 0 && text.indexOf(PASSWORD) > scheme;
  }
}
