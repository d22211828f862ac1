package dev.weir.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sends requests exactly as they are told: a client that keeps neither to the rules for targets nor
 * to those for header fields, and comes from any loopback address.
 */
public final class RawHttp {
  private static final int PATIENCE_MILLIS = 20_000;

  private RawHttp() {}

  /**
   * @param fields by name in any case
   */
  public record Answer(int status, Map<String, String> fields, String body) {}

  /**
   * @param fields whole lines: {@code "X-Api-Key: a"}
   */
  public static Answer get(int port, String from, String target, String... fields) {
    return send(port, from, head("GET", target, port, fields) + "\r\n");
  }

  public static Answer post(int port, String from, String target, String body, String... fields) {
    String length = "Content-Length: " + body.length() + "\r\n\r\n";
    return send(port, from, head("POST", target, port, fields) + length + body);
  }

  private static String head(String method, String target, int port, String... fields) {
    StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
    head.append("Host: 127.0.0.1:").append(port).append("\r\nConnection: close\r\n");
    for (String field : fields) {
      head.append(field).append("\r\n");
    }
    return head.toString();
  }

  public static Answer send(int port, String from, String request) {
    InetAddress proxy = InetAddress.getLoopbackAddress();
    try (Socket socket = new Socket(proxy, port, InetAddress.getByName(from), 0)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      byte[] answer = socket.getInputStream().readAllBytes();
      return parse(new String(answer, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Answer parse(String answer) {
    String[] parts = answer.split("\r\n\r\n", 2);
    String[] lines = parts[0].split("\r\n");
    Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (int i = 1; i < lines.length; i++) {
      String[] field = lines[i].split(": ", 2);
      fields.merge(field[0], field[1], (one, other) -> one + ", " + other);
    }
    return new Answer(Integer.parseInt(lines[0].split(" ")[1]), fields, parts[1]);
  }
}
