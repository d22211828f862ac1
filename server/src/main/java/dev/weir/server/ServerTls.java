package dev.weir.server;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The TLS of one port: which certificate it shows, and whose certificates it asks clients for.
 *
 * <p>The files are read every two seconds, and a changed certificate is used for new connections
 * once two reads in a row found the same content, so that a certificate and its key may be replaced
 * one after the other. A certificate that cannot be read or used is logged, and the previous one
 * stays in use.
 */
final class ServerTls {
  private static final System.Logger LOG = System.getLogger(ServerTls.class.getName());
  private static final long POLL_INTERVAL_MILLIS = 2000;

  private final ServerOptions options;
  private final ServerOptions.Tls files;
  private final ServerPort port;
  private Pem current;
  private Pem seen;
  private String failure = "";
  private int failures;

  private ServerTls(ServerOptions options, ServerOptions.Tls files, ServerPort port) {
    this.options = options;
    this.files = files;
    this.port = port;
    this.current = read();
    this.seen = current;
  }

  /** Both files as they were at one time. */
  private record Pem(Buffer certificate, Buffer key) {}

  /**
   * @throws UncheckedIOException if the files cannot be read
   */
  static ServerTls of(ServerOptions options, ServerOptions.Tls files, ServerPort port) {
    return new ServerTls(options, files, port);
  }

  private Pem read() {
    return new Pem(bytes(files.certificate()), bytes(files.key()));
  }

  private static Buffer bytes(Path file) {
    try {
      return Buffer.buffer(Files.readAllBytes(file));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  void addTo(HttpServerOptions http) {
    addTo(http, current);
  }

  private void addTo(HttpServerOptions http, Pem pem) {
    http.setSsl(true)
        .setUseAlpn(true)
        .setSslHandshakeTimeout(options.requestTime().toMillis())
        .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
        .setKeyCertOptions(
            new PemKeyCertOptions().setCertValue(pem.certificate()).setKeyValue(pem.key()));
    if (!port.decisions()) {
      options
          .adminCa()
          .ifPresent(
              ca ->
                  http.setClientAuth(ClientAuth.REQUIRED)
                      .setTrustOptions(new PemTrustOptions().addCertValue(bytes(ca))));
    }
  }

  /** Starts polling once per port: its event loops share their TLS options. */
  void follow(Vertx vertx, HttpServer server) {
    String name = "followed by an event loop: " + port.number();
    if (vertx.sharedData().getLocalMap("weir.tls").putIfAbsent(name, true) == null) {
      vertx.setPeriodic(
          POLL_INTERVAL_MILLIS,
          timer ->
              vertx
                  .executeBlocking(this::read)
                  .onSuccess(pem -> poll(pem, server))
                  .onFailure(this::failed));
    }
  }

  /** Logged once, and only if a second read fails, too: the files may be being replaced. */
  private void failed(Throwable unreadable) {
    String message = String.valueOf(unreadable.getMessage());
    failures = message.equals(failure) ? failures + 1 : 1;
    failure = message;
    if (failures == 2) {
      LOG.log(
          Level.ERROR,
          "the certificate of port {0} cannot be read, the one before stays: {1}",
          String.valueOf(port.number()),
          message);
    }
  }

  private void poll(Pem pem, HttpServer server) {
    failures = 0;
    boolean settled = pem.equals(seen);
    seen = pem;
    if (!settled || pem.equals(current)) {
      return;
    }
    current = pem; // also if it is refused: said once, and not tried again
    HttpServerOptions next = new HttpServerOptions();
    addTo(next, pem);
    server
        .updateSSLOptions(next.getSslOptions())
        .onSuccess(
            changed ->
                LOG.log(Level.INFO, "new certificate on port {0}", String.valueOf(port.number())))
        .onFailure(
            refused ->
                LOG.log(
                    Level.ERROR,
                    "the new certificate cannot be used, the one before stays: "
                        + refused.getMessage()));
  }
}
