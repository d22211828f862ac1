package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.MemoryStore;
import dev.weir.spi.LimitStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StoreAddressTest {
  private static final String ALL =
      "store must be memory, redis://, rediss://, redis-sentinel://, rediss-sentinel://,"
          + " redis-cluster:// or rediss-cluster://";

  @Test
  void certificatesNeedAnAddressWithTlsAndMemoryIgnoresThem() {
    RedisTls tls = RedisTls.trusting(Path.of("ca.crt"));
    assertThat(StoreAddress.parse("memory").withTls(tls).isMemory()).isTrue();
    assertThat(StoreAddress.parse("rediss-cluster://a").withTls(tls))
        .hasToString("rediss-cluster://a:6379");
    StoreAddress plain = StoreAddress.parse("redis://:secret@a:1");
    assertThatThrownBy(() -> plain.withTls(tls))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "store must begin with rediss, because options of TLS are given; was redis://***@a:1");
  }

  @Test
  void memoryIsOpenedInThisProcess() {
    StoreAddress address = StoreAddress.parse("memory");
    try (LimitStore store =
        address.<LimitStore>open(MemoryStore.Builder::build, RedisStore.Builder::build)) {
      assertThat(store).isInstanceOf(MemoryStore.class);
    }
    assertThat(address).hasToString("memory");
  }

  @ParameterizedTest
  @CsvSource({
    "redis://localhost:6379, redis://localhost:6379",
    "rediss://anna:s3cret@host:6379, rediss://***@host:6379",
    "'redis-cluster://:s3cret@a:1,b:2', 'redis-cluster://***@a:1,b:2'",
  })
  void anAddressIsShownWithoutItsPassword(String text, String shown) {
    assertThat(StoreAddress.parse(text)).hasToString(shown);
    assertThat(StoreAddress.parse(text).isMemory()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"postgres://u:s3cret@x, ', was postgres://***'", "file:s3cret, ''", "Memory, ''"})
  void otherStoresAreRefusedWithEveryScheme(String text, String was) {
    assertThatThrownBy(() -> StoreAddress.parse(text)).hasMessage(ALL + was);
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis://", "redis://u:s3cret@", "redis://s3cret@host:port:1"})
  void aMalformedAddressIsRefusedWithoutRepeatingIt(String text) {
    assertThatThrownBy(() -> StoreAddress.parse(text))
        .hasMessageStartingWith("store must be redis://")
        .hasMessageNotContaining("s3cret");
  }
}
