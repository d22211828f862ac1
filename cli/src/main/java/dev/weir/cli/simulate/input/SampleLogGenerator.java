package dev.weir.cli.simulate.input;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

/**
 * A log to try things with: one week of a small shop, the same for the same seed.
 *
 * <p>Requests follow the day and fade at the weekend; a few customers come often, most rarely; now
 * and then one opens a page that asks for forty things at once; and one address guesses passwords
 * for three hours of a night.
 */
public final class SampleLogGenerator {
  private static final Instant START = Instant.parse("2026-03-02T00:00:00Z"); // a Monday
  private static final int DAYS = 7;
  private static final long DAY_SECONDS = 86_400;
  private static final int CUSTOMERS = 4000;
  private static final int BURST = 40;
  private static final long ABUSE_FROM = 3 * DAY_SECONDS + 2 * 3600;
  private static final long ABUSE_SECONDS = 3 * 3600;
  private static final String[] PATHS = {
    "/", "/search", "/api/products", "/api/products/17", "/api/cart", "/api/prices", "/login"
  };
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss +0000", Locale.ENGLISH);

  private final Random random;
  private final StringBuilder out = new StringBuilder();

  private SampleLogGenerator(long seed) {
    random = new Random(seed);
  }

  /** As many lines, in the Combined format, in the order of their times. */
  public static String of(int lines, long seed) {
    SampleLogGenerator sample = new SampleLogGenerator(seed);
    long[] requests = sample.requests(lines);
    Arrays.sort(requests);
    for (long request : requests) {
      sample.line(request >> 20, (int) (request & 0xfffff));
    }
    return sample.out.toString();
  }

  /** Second of the week and customer, in one number each; customer 0 is the one who guesses. */
  private long[] requests(int lines) {
    long[] requests = new long[lines];
    int abuse = lines / 20;
    int next = 0;
    while (next < abuse) {
      requests[next++] = ABUSE_FROM + random.nextLong(ABUSE_SECONDS) << 20;
    }
    while (next < lines) {
      long second = second();
      int customer = 1 + (int) (CUSTOMERS * Math.pow(random.nextDouble(), 3));
      int count = random.nextInt(200) == 0 ? BURST : 1;
      for (int i = 0; i < count && next < lines; i++) {
        requests[next++] = second + (count == 1 ? 0 : random.nextInt(3)) << 20 | customer;
      }
    }
    return requests;
  }

  /** More at noon than at night, and more on weekdays. */
  private long second() {
    while (true) {
      long second = random.nextLong(DAYS * DAY_SECONDS);
      double day = 0.55 - 0.45 * Math.cos(2 * Math.PI * (second % DAY_SECONDS) / DAY_SECONDS);
      double weekday = second / DAY_SECONDS < 5 ? 1 : 0.5;
      if (random.nextDouble() < day * weekday) {
        return second;
      }
    }
  }

  private void line(long second, int customer) {
    boolean abuser = customer == 0;
    String ip = abuser ? "203.0.113.66" : "198.51." + customer / 250 + "." + customer % 250;
    String user = abuser || customer % 3 == 0 ? "-" : "u" + customer;
    String path = abuser ? "/login" : PATHS[random.nextInt(PATHS.length)];
    String method = path.equals("/login") ? "POST" : "GET";
    LocalDateTime time =
        LocalDateTime.ofEpochSecond(START.getEpochSecond() + second, 0, ZoneOffset.UTC);
    out.append(ip).append(" - ").append(user).append(" [").append(TIME.format(time));
    out.append("] \"").append(method).append(' ').append(path).append(" HTTP/1.1\" ");
    out.append(abuser ? 401 : 200).append(' ').append(200 + random.nextInt(4000));
    out.append(" \"-\" \"").append(abuser ? "curl/8.5" : "Mozilla/5.0").append("\"\n");
  }
}
