package dev.weir.redis;

import dev.weir.internal.Check;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Certificates for addresses that begin with {@code rediss}, as PEM files. They are read for every
 * new connection, so that renewed ones are used without a restart.
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
 */
public record RedisTls(Optional<Path> authorities, Optional<ClientCertificate> certificate) {
  public RedisTls {
    Check.notNull("authorities", authorities);
    Check.notNull("certificate", certificate);
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
    return new RedisTls(Optional.of(authorities), Optional.empty());
  }

  /** The same, and shows this certificate to servers. */
  public RedisTls withCertificate(Path chain, Path key) {
    return new RedisTls(authorities, Optional.of(new ClientCertificate(chain, key)));
  }
}
