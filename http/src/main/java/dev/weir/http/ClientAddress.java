package dev.weir.http;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The address of the client behind a request, as a key. Immutable, safe for many threads.
 *
 * <p>Anybody can write a header field, so by default the address is that of the connection's other
 * end. With trusted proxies, the field in which they say whom they forward for is read from the
 * right, where the nearest proxy wrote: as long as an address is a trusted proxy, the next one is
 * what that proxy vouches for. An entry that is no address ends the walk at the proxy that wrote
 * it. So an address that a client makes up is never used.
 *
 * <p>The result is a canonical text: {@code 192.0.2.1} (also for {@code ::ffff:192.0.2.1}), or a
 * network such as {@code 2001:db8:1:2::/64}, because one IPv6 client has many addresses.
 */
public final class ClientAddress {
  /** The key of a peer without an IP address: the other end of a Unix socket, for example. */
  public static final String UNKNOWN = "unknown";

  private static final int USUAL_IPV6_PREFIX = 64;

  private final List<IpNetwork> trusted;
  private final ForwardingField field;
  private final int ipv6Prefix;

  private ClientAddress(List<IpNetwork> trusted, ForwardingField field, int ipv6Prefix) {
    this.trusted = trusted;
    this.field = field;
    this.ipv6Prefix = ipv6Prefix;
  }

  /** Trusts no header field: for servers that clients reach directly. */
  public static ClientAddress ofConnection() {
    return new ClientAddress(List.of(), ForwardingField.X_FORWARDED_FOR, USUAL_IPV6_PREFIX);
  }

  /**
   * Believes {@code X-Forwarded-For} as far as these proxies wrote it.
   *
   * @param trustedProxies addresses and networks, such as {@code 10.0.0.0/8}; if empty, no proxy is
   *     trusted
   * @throws IllegalArgumentException if any is neither; the message names each
   */
  public static ClientAddress behind(Collection<String> trustedProxies) {
    List<IpNetwork> networks = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    for (String proxy : trustedProxies) {
      try {
        networks.add(IpNetwork.parse(proxy));
      } catch (IllegalArgumentException fault) {
        faults.add(fault.getMessage());
      }
    }
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(String.join("\n", faults));
    }
    return new ClientAddress(
        List.copyOf(networks), ForwardingField.X_FORWARDED_FOR, USUAL_IPV6_PREFIX);
  }

  /**
   * Reads {@code Forwarded} (RFC 7239) instead of {@code X-Forwarded-For}. Never both: a proxy that
   * writes one lets the other through as the client sent it.
   */
  public ClientAddress readingForwarded() {
    return new ClientAddress(trusted, ForwardingField.FORWARDED, ipv6Prefix);
  }

  /**
   * How many bits of an IPv6 address count; 64 by default.
   *
   * @param prefix from 1 to 128; 128 tells all addresses apart
   */
  public ClientAddress withIpv6Prefix(int prefix) {
    if (prefix < 1 || prefix > 128) {
      throw new IllegalArgumentException("prefix must be between 1 and 128, was " + prefix);
    }
    return new ClientAddress(trusted, field, prefix);
  }

  /**
   * The address to count a request under.
   *
   * @param peer the address of the connection's other end, in digits
   * @param headers all values of a request header field, in the order received; an empty list if
   *     there is none. Called only if the peer is a trusted proxy.
   */
  public String resolve(String peer, Function<String, List<String>> headers) {
    return IpAddressText.parseWithZone(peer)
        .map(nearest -> text(walk(nearest, headers)))
        .orElse(UNKNOWN);
  }

  /**
   * One address in the form that {@link #resolve} answers.
   *
   * @param address with or without a port or a zone; IPv6 is in brackets if there is a port
   * @return empty if the text is no address
   */
  public Optional<String> canonical(String address) {
    return ForwardingField.node(address.strip()).map(this::text);
  }

  private IpAddress walk(IpAddress peer, Function<String, List<String>> headers) {
    if (!trusts(peer)) {
      return peer;
    }
    IpAddress nearest = peer;
    ForwardingEntries entries = new ForwardingEntries(headers.apply(field.fieldName()));
    while (trusts(nearest) && entries.hasNext()) {
      Optional<IpAddress> next = field.address(entries.next());
      if (next.isEmpty()) {
        return nearest;
      }
      nearest = next.get();
    }
    return nearest;
  }

  private boolean trusts(IpAddress address) {
    for (IpNetwork network : trusted) {
      if (network.contains(address)) {
        return true;
      }
    }
    return false;
  }

  private String text(IpAddress address) {
    return address.bits() == 32 || ipv6Prefix == 128
        ? address.toString()
        : address.masked(ipv6Prefix) + "/" + ipv6Prefix;
  }
}
