package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.weir.Limit;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** FAULTS 63: passwords that are not easy to write into an address, and are shown nowhere. */
@Timeout(60)
final class PasswordTest {
  private static final String PRINTABLE = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCZ[\\]^_`abcz{|}~";

  static Stream<String> passwords() {
    return Stream.of("plain", "%zz", "a[b", "with space", "hash#tag", "a@b/c:d?e", PRINTABLE);
  }

  @ParameterizedTest
  @MethodSource("passwords")
  void aPasswordWorksAsItIsAndPercentEncoded(String password) {
    try (RedisProcess redis = RedisProcess.start()) {
      redis.command("CONFIG", "SET", "requirepass", password);
      String encoded = URLEncoder.encode(password, StandardCharsets.UTF_8).replace("+", "%20");
      for (String written : new String[] {password, encoded}) {
        try (RedisStore store = RedisStore.connect(uri(redis, written))) {
          Asking asking = Asking.about(store, Limit.fixedWindow(5, Duration.ofDays(1)));
          assertThat(asking.peek("key", 1).fits()).isTrue();
        }
      }
    }
    FaultReport.row("63 password of " + password.length() + " characters", 2, "works, both ways");
  }

  @Test
  void aWrongPasswordIsShownNowhere() {
    String secret = "S3CRET#[x] %zz";
    try (RedisProcess redis = RedisProcess.start("--requirepass", "right");
        LogLines log = LogLines.of("")) {
      Throwable refused = catchThrowable(() -> RedisStore.connect(uri(redis, secret)));
      try (RedisStore store = RedisStore.builder(uri(redis, secret)).startWithoutServer().build()) {
        Asking asking = Asking.about(store, Limit.fixedWindow(5, Duration.ofDays(1)));
        assertThat(refused).hasMessageContaining("WRONGPASS").hasStackTraceContaining("weir");
        assertThat(Stream.of(refused, asking.failureOfTake("key")))
            .allSatisfy(shown -> assertThat(shown).hasMessageNotContaining("S3CRET"));
        assertThat(store.warnings()).isNotEmpty().noneMatch(line -> line.contains("S3CRET"));
        assertThat(store.toString()).doesNotContain("S3CRET");
        assertThat(log.lines()).isNotEmpty().noneMatch(line -> line.contains("S3CRET"));
      }
    }
  }

  private static String uri(RedisProcess redis, String password) {
    return "redis://:" + password + "@127.0.0.1:" + redis.port();
  }
}
