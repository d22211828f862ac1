package dev.weir.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/** A self-signed certificate and its key, made for a test. */
public record PemFiles(Path certificate, Path key) {
  private static final String PASSWORD = "changeit";

  /** For this machine: {@code localhost} and 127.0.0.1. */
  public static PemFiles make(Path folder, String name) throws Exception {
    return make(folder, name, "dns:localhost,ip:127.0.0.1");
  }

  /**
   * For other hosts.
   *
   * @param hosts as keytool takes alternative names: {@code dns:redis.example}
   */
  public static PemFiles make(Path folder, String name, String hosts) throws Exception {
    Path store = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "SAN=" + hosts,
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(keytool.getInputStream().readAllBytes());
    if (keytool.waitFor() != 0) {
      throw new IllegalStateException(output);
    }
    return asPem(store, folder, name);
  }

  private static PemFiles asPem(Path store, Path folder, String name)
      throws GeneralSecurityException, IOException {
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    byte[] certificate = keys.getCertificate(name).getEncoded();
    byte[] key = keys.getKey(name, PASSWORD.toCharArray()).getEncoded();
    return new PemFiles(
        Files.writeString(folder.resolve(name + ".crt"), pem("CERTIFICATE", certificate)),
        Files.writeString(folder.resolve(name + ".key"), pem("PRIVATE KEY", key)));
  }

  /** Under names that do not depend on the certificate, replacing what is there. */
  public PemFiles copyTo(Path folder) throws IOException {
    return new PemFiles(
        Files.copy(certificate, folder.resolve("tls.crt"), StandardCopyOption.REPLACE_EXISTING),
        Files.copy(key, folder.resolve("tls.key"), StandardCopyOption.REPLACE_EXISTING));
  }

  private static String pem(String kind, byte[] bytes) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
  }
}
