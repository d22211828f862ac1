package dev.weir.rules.internal.envoy;

import dev.weir.internal.text.HumanDuration;
import dev.weir.internal.text.KebabCase;
import dev.weir.internal.text.PrintableText;
import dev.weir.rules.DescriptorLimit;
import dev.weir.rules.DescriptorRate;
import dev.weir.rules.RateUnit;
import java.util.Collection;
import java.util.Locale;

/** Lists limits for people, in lines like those of the reference service's debug view. */
public final class DomainListing {
  private final StringBuilder out = new StringBuilder();

  private DomainListing() {}

  public static String of(Collection<Domain> domains) {
    DomainListing listing = new DomainListing();
    domains.forEach(domain -> listing.add(domain.name(), domain.descriptors()));
    return listing.out.toString();
  }

  private void add(String domain, DescriptorLevel level) {
    for (DescriptorNode node : level.nodes()) {
      if (node.limit() != null) {
        add(domain, node.limit());
      }
      add(domain, node.children());
    }
  }

  /** Only of a window that no unit expresses. */
  private static String period(DescriptorRate rate) {
    return rate.unit() == RateUnit.UNKNOWN
        ? ", period: " + HumanDuration.of(rate.limit().period())
        : "";
  }

  private void add(String domain, DescriptorLimit limit) {
    String path = PrintableText.of(domain + "." + limit.path());
    if (limit.unlimited()) {
      out.append(path).append(": unlimited\n");
    }
    for (DescriptorRate rate : limit.rates()) {
      out.append(path)
          .append(": unit=")
          .append(rate.unit().name().toUpperCase(Locale.ROOT))
          .append(" requests_per_unit=")
          .append(rate.requests())
          .append(", shadow_mode: ")
          .append(limit.shadow())
          .append(", quota_mode: ")
          .append(limit.quota())
          .append(", algorithm: ")
          .append(KebabCase.of(rate.limit().algorithm()))
          .append(period(rate))
          .append('\n');
    }
  }
}
