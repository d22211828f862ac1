package dev.weir.cli.options;

import dev.weir.StoreUnavailableException;
import dev.weir.redis.RedisTls;
import dev.weir.redis.RedisTls.ClientCertificate;
import dev.weir.redis.RedisTls.Verification;
import dev.weir.redis.StoreAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where the address of the store is given: it may contain a password. */
public final class StoreOptions {
  private static final String STORE = "--store";
  private static final String STORE_FILE = "--store-file";
  private static final String STORE_TLS_VERIFY = "--store-tls-verify";
  private static final RedisTls NO_TLS =
      new RedisTls(Optional.empty(), Optional.empty(), Optional.empty());

  private final UnaryOperator<@Nullable String> environment;

  @Option(
      names = STORE,
      paramLabel = "<store>",
      description =
          "memory, or the address of a Redis: redis://host:port, rediss://, redis-sentinel://,"
              + " redis-cluster://. Default: the store of the rules, else memory; simulate: memory."
              + " An address with a password is better given in WEIR_STORE (not simulate) or"
              + " --store-file: a command line is there for everybody on the machine to read")
  private @Nullable String store;

  @Option(
      names = STORE_FILE,
      paramLabel = "<file>",
      description = "File with the address of the store, in the place of --store")
  private @Nullable Path file;

  @Option(
      names = "--store-tls-ca",
      paramLabel = "<file>",
      description =
          "Certificates as PEM: one of them must have signed that of a rediss:// server."
              + " Default: those that Java trusts")
  private @Nullable Path authorities;

  @Option(
      names = "--store-tls-cert",
      paramLabel = "<file>",
      description = "Certificate chain as PEM, shown to a rediss:// server that asks for one.")
  private @Nullable Path certificate;

  @Option(
      names = "--store-tls-key",
      paramLabel = "<file>",
      description = "Its private key as PEM (PKCS#8, not encrypted).")
  private @Nullable Path key;

  @Option(
      names = STORE_TLS_VERIFY,
      paramLabel = "full|ca|none",
      description =
          "What is checked of the certificate of a rediss:// server. ca: not the host name, so"
              + " anybody with a certificate of the same authority can pose as the server; none:"
              + " nothing, for tests only. Default: full, or verifyPeer in the address")
  private @Nullable String verification;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  public StoreOptions() {
    this(System::getenv);
  }

  StoreOptions(UnaryOperator<@Nullable String> environment) {
    this.environment = environment;
  }

  /** The address on the command line or, if there is none, in the environment. */
  public Optional<String> address() {
    Optional<String> here = onCommandLine();
    if (here.isPresent()) {
      return here;
    }
    String text = environment.apply("WEIR_STORE");
    String name = environment.apply("WEIR_STORE_FILE");
    if (text != null && name != null) {
      throw usage("WEIR_STORE and WEIR_STORE_FILE must not both be given");
    }
    return text == null && name != null
        ? Optional.of(read(Path.of(name)))
        : Optional.ofNullable(text);
  }

  /** The address on the command line alone. */
  public Optional<String> onCommandLine() {
    boolean asText = isGiven(STORE) && store != null;
    boolean asFile = isGiven(STORE_FILE) && file != null;
    if (asText && asFile) {
      throw usage(STORE + " and " + STORE_FILE + " must not both be given");
    }
    return asFile ? Optional.of(read(file)) : asText ? Optional.of(store) : Optional.empty();
  }

  /** The address with the certificates that are given for it. */
  public StoreAddress parse(String text) {
    StoreAddress address = StoreAddress.parse(text);
    return tls().map(address::withTls).orElse(address);
  }

  /** Certificates and checks of them, on the command line or in the environment. */
  public Optional<RedisTls> tls() {
    Optional<CertificateFiles> shown =
        CertificateFiles.of(
            spec,
            "--store-tls",
            file(certificate, "WEIR_STORE_TLS_CERT"),
            file(key, "WEIR_STORE_TLS_KEY"));
    RedisTls tls =
        new RedisTls(
            Optional.ofNullable(file(authorities, "WEIR_STORE_TLS_CA")),
            shown.map(files -> new ClientCertificate(files.certificate(), files.key())),
            verification());
    return tls.equals(NO_TLS) ? Optional.empty() : Optional.of(tls);
  }

  private Optional<Verification> verification() {
    return Optional.ofNullable(verification)
        .or(() -> Optional.ofNullable(environment.apply("WEIR_STORE_TLS_VERIFY")))
        .map(this::verification);
  }

  private Verification verification(String text) {
    return Arrays.stream(Verification.values())
        .filter(each -> each.name().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(
            () -> usage(STORE_TLS_VERIFY + " must be full, ca or none, was \"" + text + '"'));
  }

  private @Nullable Path file(@Nullable Path given, String variable) {
    String text = given == null ? environment.apply(variable) : null;
    return text == null ? given : Path.of(text);
  }

  /** Values from the environment are not matched. */
  private boolean isGiven(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException unreadable) {
      throw new StoreUnavailableException(STORE_FILE + " cannot be read: " + file, unreadable);
    }
  }

  private ParameterException usage(String text) {
    return new ParameterException(spec.commandLine(), text);
  }
}
