package dev.weir.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.redis.RedisTls;
import dev.weir.redis.RedisTls.Verification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

final class StoreOptionsTest {
  private static final Map<String, String> ENVIRONMENT = Map.of("WEIR_STORE", "redis://env");

  @TempDir Path directory;
  private String file;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(directory.resolve("store"), "redis://:secret@file\n").toString();
  }

  @Command
  private static final class AnyCommand {
    @Mixin private StoreOptions store;

    AnyCommand(Map<String, String> environment) {
      store = new StoreOptions(environment::get);
    }
  }

  @Test
  void theEnvironmentCountsIfTheCommandLineSaysNothing() {
    assertThat(parse(Map.of()).address()).isEmpty();
    assertThat(parse(ENVIRONMENT).address()).contains("redis://env");
    assertThat(parse(ENVIRONMENT).onCommandLine()).isEmpty();
    assertThat(parse(Map.of("WEIR_STORE_FILE", file)).address()).contains("redis://:secret@file");
  }

  @Test
  void anExplicitFileOrAddressWinsOverTheEnvironment() {
    assertThat(parse(ENVIRONMENT, "--store-file", file).address()).contains("redis://:secret@file");
    assertThat(parse(Map.of("WEIR_STORE_FILE", file), "--store", "memory").address())
        .contains("memory");
  }

  @Test
  void twoAddressesInOnePlaceAreAMistake() {
    StoreOptions both = parse(Map.of(), "--store", "memory", "--store-file", file);
    assertThatThrownBy(both::address).hasMessage("--store and --store-file must not both be given");
    StoreOptions twice = parse(Map.of("WEIR_STORE", "memory", "WEIR_STORE_FILE", file));
    assertThatThrownBy(twice::address)
        .hasMessage("WEIR_STORE and WEIR_STORE_FILE must not both be given");
  }

  @Test
  void certificatesComeFromTheCommandLineOrTheEnvironment() {
    assertThat(parse(Map.of()).tls()).isEmpty();
    Map<String, String> environment =
        Map.of(
            "WEIR_STORE_TLS_CA", "env.crt",
            "WEIR_STORE_TLS_CERT", "own.crt",
            "WEIR_STORE_TLS_KEY", "own.key");
    assertThat(parse(environment, "--store-tls-ca", "line.crt").tls())
        .contains(
            RedisTls.trusting(Path.of("line.crt"))
                .withCertificate(Path.of("own.crt"), Path.of("own.key")));
    StoreOptions half = parse(Map.of(), "--store-tls-cert", "own.crt");
    assertThatThrownBy(half::tls)
        .hasMessage("--store-tls-cert and --store-tls-key must be given together");
  }

  @Test
  void whatIsCheckedOfCertificatesComesFromTheCommandLineOrTheEnvironment() {
    Map<String, String> environment = Map.of("WEIR_STORE_TLS_VERIFY", "NONE");
    assertThat(parse(environment).tls()).contains(RedisTls.verifying(Verification.NONE));
    assertThat(parse(environment, "--store-tls-verify", "ca").tls())
        .contains(RedisTls.verifying(Verification.CA));
    StoreOptions unknown = parse(Map.of(), "--store-tls-verify", "host");
    assertThatThrownBy(unknown::tls)
        .hasMessage("--store-tls-verify must be full, ca or none, was \"host\"");
  }

  @Test
  void aFileThatCannotBeReadIsNamed() {
    assertThatThrownBy(() -> parse(Map.of(), "--store-file", "none").address())
        .hasMessage("--store-file cannot be read: none");
  }

  private static StoreOptions parse(Map<String, String> environment, String... arguments) {
    AnyCommand command = new AnyCommand(environment);
    new CommandLine(command).parseArgs(arguments);
    return command.store;
  }
}
