package dev.weir.cli.simulate.input;

import java.util.Locale;

/** How the lines of a log are written. */
enum LogInputFormat {
  /** One JSON object per line: ours, Caddy's, nginx's. */
  JSONL,
  /** The Common or the Combined format of web servers. */
  COMBINED,
  /** AWS Application Load Balancer. */
  ALB,
  /** CloudFront, and others in the W3C extended format. */
  CLOUDFRONT,
  /** Envoy's default format. */
  ENVOY,
  /** What a line looks like: line by line. */
  AUTO;

  /** As on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
