package dev.weir.redis.internal.connection;

import dev.weir.internal.text.MaskedAddress;
import dev.weir.redis.RedisTls.Verification;
import dev.weir.redis.internal.connection.ServerAddress.HostAndPort;
import dev.weir.redis.internal.connection.ServerAddress.TopologyKind;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code
 * scheme://[user:password@]host[:port][,host[:port]...][/database][?verifyPeer=...][#master]}.
 *
 * <p>Everything before the last {@code @} is user and password, which may therefore contain any
 * character unencoded. Percent-encoding is decoded if every {@code %} begins two hexadecimal
 * digits. No message repeats anything after the scheme, because a forgotten {@code @} turns a
 * password into a host.
 */
public final class AddressParser {
  private static final Pattern SCHEME = Pattern.compile("(?s)([a-zA-Z][a-zA-Z0-9+.-]*)://(.*)");
  private static final Pattern SERVERS =
      Pattern.compile("([^/?#]+)(?:/(\\d{0,5}))?(?:\\?([^#]*))?(?:#([A-Za-z0-9._-]+))?");
  private static final Pattern SERVER =
      Pattern.compile("(\\[[0-9A-Fa-f:.%]+]|[A-Za-z0-9._-]+)(?::(\\d{1,5}))?");
  private static final Pattern ENCODED = Pattern.compile("%[0-9A-Fa-f]{2}");
  private static final String VERIFY_PEER = "verifyPeer=";
  private static final int HIGHEST_PORT = 65_535;
  private static final String HINT = "; percent-encode the password if it has special characters";

  private static final List<String> SCHEMES =
      List.of(
          "redis://",
          "rediss://",
          "redis-sentinel://",
          "rediss-sentinel://",
          "redis-cluster://",
          "rediss-cluster://");

  private AddressParser() {}

  /** All schemes, as a sentence lists them. */
  public static String schemes() {
    int last = SCHEMES.size() - 1;
    return String.join(", ", SCHEMES.subList(0, last)) + " or " + SCHEMES.get(last);
  }

  /** The address without its password; only the scheme if it cannot be parsed. */
  public static String mask(String text) {
    try {
      return parse(text).toString();
    } catch (IllegalArgumentException unreadable) {
      return MaskedAddress.schemeOnly(text).orElse("***");
    }
  }

  /** Throws the same exceptions as {@link #parse}. */
  public static void check(String text) {
    parse(text);
  }

  /**
   * @throws IllegalArgumentException if the text is no address; the message contains no secret
   */
  public static ServerAddress parse(String text) {
    Matcher parts = SCHEME.matcher(text);
    if (!parts.matches() || !SCHEMES.contains(parts.group(1) + "://")) {
      throw new IllegalArgumentException(
          "address must start with "
              + schemes()
              + MaskedAddress.schemeOnly(text).map(shown -> ", was " + shown).orElse(""));
    }
    boolean tls = parts.group(1).startsWith("rediss");
    TopologyKind kind = kind(parts.group(1));
    String rest = parts.group(2);
    int at = rest.lastIndexOf('@');
    String form = form(parts.group(1), kind);
    Matcher servers = SERVERS.matcher(rest.substring(at + 1));
    if (!servers.matches()) {
      throw new IllegalArgumentException(form + HINT);
    }
    String[] credentials = at < 0 ? new String[2] : credentials(rest.substring(0, at), form);
    return new ServerAddress(
        kind,
        tls,
        credentials[0],
        credentials[1],
        servers(servers.group(1), kind, form),
        database(servers.group(2), kind, form),
        master(servers.group(4), kind, form),
        verification(servers.group(3), tls, form));
  }

  private static TopologyKind kind(String scheme) {
    if (scheme.endsWith(TopologyKind.CLUSTER.suffix)) {
      return TopologyKind.CLUSTER;
    }
    return scheme.endsWith(TopologyKind.SENTINEL.suffix)
        ? TopologyKind.SENTINEL
        : TopologyKind.STANDALONE;
  }

  private static String form(String scheme, TopologyKind kind) {
    String rest =
        switch (kind) {
          case STANDALONE -> "host:port/database";
          case SENTINEL -> "host:port,host:port/database#master";
          case CLUSTER -> "host:port,host:port";
        };
    return "address must be " + scheme + "://user:password@" + rest;
  }

  private static List<HostAndPort> servers(String text, TopologyKind kind, String form) {
    List<HostAndPort> servers =
        Arrays.stream(text.split(",", -1)).map(each -> server(each.strip(), kind, form)).toList();
    if (kind == TopologyKind.STANDALONE && servers.size() > 1) {
      throw new IllegalArgumentException(form + ", with one host" + HINT);
    }
    return servers;
  }

  private static HostAndPort server(String text, TopologyKind kind, String form) {
    Matcher server = SERVER.matcher(text);
    if (!server.matches()) {
      throw new IllegalArgumentException(form + HINT);
    }
    int port = server.group(2) == null ? kind.defaultPort : Integer.parseInt(server.group(2));
    if (port < 1 || port > HIGHEST_PORT) {
      throw new IllegalArgumentException(form + ", with a port from 1 to " + HIGHEST_PORT);
    }
    String host = server.group(1);
    return new HostAndPort(
        host.startsWith("[") ? host.substring(1, host.length() - 1) : host, port);
  }

  private static int database(@Nullable String text, TopologyKind kind, String form) {
    int database = text == null || text.isEmpty() ? 0 : Integer.parseInt(text);
    if (kind == TopologyKind.CLUSTER && database != 0) {
      throw new IllegalArgumentException(form + "; a Cluster has database 0 only");
    }
    return database;
  }

  private static String master(@Nullable String text, TopologyKind kind, String form) {
    if ((kind == TopologyKind.SENTINEL) == (text == null)) {
      throw new IllegalArgumentException(form + HINT);
    }
    return text == null ? "" : text;
  }

  private static Verification verification(@Nullable String query, boolean tls, String form) {
    if (query == null) {
      return Verification.FULL;
    }
    for (Verification each : Verification.values()) {
      if (tls && query.equalsIgnoreCase(VERIFY_PEER + each)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        form
            + (tls
                ? "; the only parameter is verifyPeer, which is FULL, CA or NONE"
                : "; only addresses that begin with rediss have a parameter")
            + HINT);
  }

  /** User, or null, and password; text without a colon is the password. */
  private static @Nullable String[] credentials(String text, String form) {
    int colon = text.indexOf(':');
    String user = colon <= 0 ? null : decode(text.substring(0, colon), form);
    String password = decode(text.substring(colon + 1), form);
    return new @Nullable String[] {user, password.isEmpty() ? null : password};
  }

  /** Decodes the text if every percent sign begins an escape; refuses it if only some do. */
  private static String decode(String text, String form) {
    long signs = text.chars().filter(c -> c == '%').count();
    long encoded = ENCODED.matcher(text).results().count();
    if (encoded == 0) {
      return text;
    }
    if (encoded < signs) {
      throw new IllegalArgumentException(form + "; percent-encode the password, each % as %25");
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes(text))).toString();
    } catch (CharacterCodingException notText) {
      throw new IllegalArgumentException(form + "; percent-encode the password as UTF-8");
    }
  }

  private static byte[] bytes(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '%') {
        out.write(Integer.parseInt(text.substring(i + 1, i + 3), 16));
        i += 2;
      } else {
        int end = i + Character.charCount(text.codePointAt(i));
        out.writeBytes(text.substring(i, end).getBytes(StandardCharsets.UTF_8));
        i = end - 1;
      }
    }
    return out.toByteArray();
  }
}
