package dev.weir.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for localhost, made for a test, and what a client needs to trust it. */
public final class TestCertificate {
  private static final String PASSWORD = "changeit";
  private static final String MAKE =
      "-genkeypair -alias weir -keyalg RSA -dname CN=localhost"
          + " -ext SAN=dns:localhost,ip:127.0.0.1 -storetype PKCS12 -storepass "
          + PASSWORD
          + " -keystore";

  public final ServerOptions.Tls files;

  private TestCertificate(ServerOptions.Tls files) {
    this.files = files;
  }

  public static TestCertificate make(Path directory) throws Exception {
    Path store = directory.resolve("store.p12");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(MAKE.split(" ")));
    command.add(store.toString());
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes());
    if (keytool.waitFor() != 0) {
      throw new IllegalStateException(said);
    }
    return new TestCertificate(asPem(directory, store));
  }

  /** Another certificate in the same files. */
  public static TestCertificate renew(Path directory) throws Exception {
    Files.delete(directory.resolve("store.p12"));
    return make(directory);
  }

  /** For clients that trust this certificate and no other. */
  public SSLContext trusting() throws GeneralSecurityException, IOException {
    return context(null);
  }

  /** For clients that also show this certificate as their own. */
  public SSLContext withItsKey() throws GeneralSecurityException, IOException {
    KeyStore keys =
        KeyStore.getInstance(
            files.certificate().resolveSibling("store.p12").toFile(), PASSWORD.toCharArray());
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(keys, PASSWORD.toCharArray());
    return context(factory.getKeyManagers());
  }

  private SSLContext context(KeyManager[] keys) throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    try (InputStream pem = new ByteArrayInputStream(Files.readAllBytes(files.certificate()))) {
      trusted.setCertificateEntry(
          "weir", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys, factory.getTrustManagers(), null);
    return context;
  }

  private static ServerOptions.Tls asPem(Path directory, Path store)
      throws GeneralSecurityException, IOException {
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    byte[] certificate = keys.getCertificate("weir").getEncoded();
    byte[] key = keys.getKey("weir", PASSWORD.toCharArray()).getEncoded();
    return new ServerOptions.Tls(
        Files.writeString(directory.resolve("cert.pem"), pem("CERTIFICATE", certificate)),
        Files.writeString(directory.resolve("key.pem"), pem("PRIVATE KEY", key)));
  }

  private static String pem(String kind, byte[] bytes) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
  }
}
