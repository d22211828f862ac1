package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.console.Terminal;
import dev.weir.testkit.RedisProcess;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class DoctorTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void aGoodServerExitsWithZeroAndOneLinePerFinding() {
    try (RedisProcess redis = RedisProcess.start()) {
      assertThat(doctor("--store", redis.uri())).isZero();
      assertThat(out.toString().lines())
          .startsWith("127.0.0.1:" + redis.port())
          .contains("  ok        connection    answers, without TLS")
          .contains("  ok        eviction      maxmemory-policy noeviction")
          .last()
          .asString()
          .startsWith("Limits can be kept here (failures: 0, warnings: ");
    }
  }

  @Test
  void aServerThatEvictsExitsWithOne() {
    try (RedisProcess redis =
        RedisProcess.start("--maxmemory", "64mb", "--maxmemory-policy", "allkeys-lru")) {
      assertThat(doctor("--store", redis.uri())).isEqualTo(1);
      assertThat(out.toString())
          .contains("  failure   eviction      maxmemory-policy allkeys-lru: ")
          .contains("Limits cannot be kept here as it is (failures: 1, warnings: ");
    }
  }

  @Test
  void thePasswordOfTheAddressIsNotShown() {
    try (RedisProcess redis = RedisProcess.start()) {
      String address = "redis://nobody:s3cret@127.0.0.1:" + redis.port();
      assertThat(doctor("--store", address)).isEqualTo(1);
      assertThat(out.toString()).contains("WRONGPASS").doesNotContain("s3cret");
    }
  }

  @Test
  void memoryAndMalformedAddressesAreUsageErrors() {
    assertThat(doctor("--store", "memory")).isEqualTo(2);
    assertThat(err.toString()).startsWith("--store must be the address of a Redis, was memory");
    err.getBuffer().setLength(0);
    assertThat(doctor("--store", "localhost:6379")).isEqualTo(2);
    assertThat(err.toString()).startsWith("--store must be redis://, rediss://, ");
    assertThat(doctor("--store", "http://example.org")).isEqualTo(2);
  }

  private int doctor(String... options) {
    String[] args = new String[options.length + 1];
    args[0] = "doctor";
    System.arraycopy(options, 0, args, 1, options.length);
    return Weir.run(Terminal.PLAIN, new PrintWriter(out, true), new PrintWriter(err, true), args);
  }
}
