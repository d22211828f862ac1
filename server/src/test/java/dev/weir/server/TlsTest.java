package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service over TLS, with a certificate made for the test. */
final class TlsTest {
  private static final String PASSWORD = "changeit";
  private static final String QUESTION = Http.question(Map.of("path", "/api/x", "user", "ann"), 1);

  @TempDir Path directory;
  private ServerOptions.Tls files;

  @BeforeEach
  void makeCertificate() throws Exception {
    Path store = directory.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "weir",
                "-keyalg",
                "RSA",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .start();
    keytool.getInputStream().readAllBytes();
    assertThat(keytool.waitFor()).isZero();
    files = asPem(store);
  }

  @Test
  void decisionsAreMadeOverTls() throws Exception {
    try (RunningService service = start()) {
      HttpResponse<String> answer = post("https", service.server.port());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("RateLimit")).isPresent();
    }
  }

  @Test
  void withTlsNothingIsSaidInCleartext() {
    try (RunningService service = start()) {
      assertThatThrownBy(() -> post("http", service.server.port())).isInstanceOf(IOException.class);
    }
  }

  private RunningService start() {
    return RunningService.start(RunningService.options(directory).tls(files));
  }

  private HttpResponse<String> post(String scheme, int port) throws Exception {
    HttpClient client = HttpClient.newBuilder().sslContext(trusting()).build();
    URI uri = URI.create(scheme + "://localhost:" + port + "/v1/check");
    return client.send(
        HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(QUESTION)).build(),
        BodyHandlers.ofString());
  }

  private SSLContext trusting() throws GeneralSecurityException, IOException {
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
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }

  private ServerOptions.Tls asPem(Path store) throws GeneralSecurityException, IOException {
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
