package dev.weir.redis;

import dev.weir.internal.Check;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Certificates for addresses that begin with {@code rediss}, as PEM files, and what is checked of
 * those that servers show. Files are read for every new connection, so that renewed ones are used
 * without a restart.
 *
 * <pre>{@code
 * RedisStore store =
 *     RedisStore.builder("rediss://redis.example:6379")
 *         .tls(RedisTls.trusting(ca).withCertificate(certificate, key))
 *         .build();
 * }</pre>
 *
 * @param authorities who must have signed the server's certificate; empty for those of the JVM
 * @param certificate what this client shows; empty if servers do not ask for one
 * @param verification what is checked of the server's certificate; empty for what the address says,
 *     which is everything unless it has the parameter {@code verifyPeer}
 */
public record RedisTls(
    Optional<Path> authorities,
    Optional<ClientCertificate> certificate,
    Optional<Verification> verification) {
  public RedisTls {
    Check.notNull("authorities", authorities);
    Check.notNull("certificate", certificate);
    Check.notNull("verification", verification);
  }

  /** What is checked of a server's certificate before anything is sent to the server. */
  public enum Verification {
    /** That an authority has signed it and that it names the host of the address: the default. */
    FULL,
    /**
     * That an authority has signed it. Whoever has a certificate of that authority, for any host,
     * can pose as the server.
     */
    CA,
    /** Nothing. Whoever is on the way to the server can read and change everything. */
    NONE
  }

  /**
   * A certificate and its key.
   *
   * @param chain the certificate first, then those between it and its authority
   * @param key PKCS#8, not encrypted
   */
  public record ClientCertificate(Path chain, Path key) {
    public ClientCertificate {
      Check.notNull("chain", chain);
      Check.notNull("key", key);
    }
  }

  /** Trusts these authorities and no other. */
  public static RedisTls trusting(Path authorities) {
    return new RedisTls(Optional.of(authorities), Optional.empty(), Optional.empty());
  }

  /** The same, and shows this certificate to servers. */
  public RedisTls withCertificate(Path chain, Path key) {
    return new RedisTls(authorities, Optional.of(new ClientCertificate(chain, key)), verification);
  }

  /** Trusts the authorities of the JVM and checks this much, whatever the address says. */
  public static RedisTls verifying(Verification verification) {
    return new RedisTls(Optional.empty(), Optional.empty(), Optional.of(verification));
  }

  /** The same, and checks this much, whatever the address says. */
  public RedisTls withVerification(Verification checked) {
    return new RedisTls(authorities, certificate, Optional.of(checked));
  }
}
