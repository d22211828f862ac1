package dev.weir.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;

/**
 * A real Redis server with TLS, which asks clients for a certificate. The embedded one has no TLS,
 * so one must be installed.
 */
public final class TlsRedis implements AutoCloseable {
  private final RedisProcess process;
  private final int port;

  private TlsRedis(RedisProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts one, or skips the test if none is installed.
   *
   * @param client the certificate that clients must show
   */
  public static TlsRedis start(PemFiles server, PemFiles client) throws IOException {
    Path program = ExternalPrograms.require(RedisBinary.installed(), "redis-server");
    int port = freePort();
    RedisProcess process =
        RedisProcess.start(
            program,
            "--tls-port",
            String.valueOf(port),
            "--tls-cert-file",
            server.certificate().toString(),
            "--tls-key-file",
            server.key().toString(),
            "--tls-ca-cert-file",
            client.certificate().toString());
    return new TlsRedis(process, port);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** The port with TLS. */
  public int port() {
    return port;
  }

  /** The address with TLS. */
  public String uri() {
    return "rediss://localhost:" + port;
  }

  /** The server, which can also be reached without TLS. */
  public RedisProcess process() {
    return process;
  }

  @Override
  public void close() {
    process.close();
  }
}
