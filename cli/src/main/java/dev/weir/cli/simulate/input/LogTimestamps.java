package dev.weir.cli.simulate.input;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.regex.Pattern;

/** Times of a log, in microseconds since 1970; what is finer is rounded down. */
final class LogTimestamps {
  /** Redis counts microseconds in doubles; the longest limit added to this stays exact. */
  private static final long END_MICROS =
      Instant.parse("2150-01-01T00:00:00Z").getEpochSecond() * 1_000_000;

  private static final int MAX_DIGITS = 40;

  /** Without an exponent that could make it long. */
  private static final Pattern NUMBER = Pattern.compile("\\d{1,20}(\\.\\d{1,20})?([eE][+-]?\\d)?");

  private LogTimestamps() {}

  /** A JSON number of milliseconds: {@code 1500.25} is 1,500,250 microseconds. */
  static long ofMillis(String number) {
    if (number.length() <= 15 && isDigits(number)) {
      return checked(Long.parseLong(number) * 1000, number);
    }
    int point = number.length() - 4;
    if (number.length() <= 18 && point > 0 && number.charAt(point) == '.') {
      String micros = number.substring(0, point) + number.substring(point + 1);
      if (isDigits(micros)) {
        return checked(Long.parseLong(micros), number);
      }
    }
    BigDecimal millis = decimal(number);
    long wholeDigits = (long) millis.precision() - millis.scale();
    if (wholeDigits > MAX_DIGITS) {
      throw outOfRange(number);
    }
    if (wholeDigits < -MAX_DIGITS) {
      return 0;
    }
    BigDecimal micros = millis.movePointRight(3).setScale(0, RoundingMode.FLOOR);
    if (micros.signum() < 0 || micros.precision() > 18) {
      throw outOfRange(number);
    }
    return checked(micros.longValueExact(), number);
  }

  /**
   * A time in any form that web servers write: a number since 1970, an ISO instant, or that of an
   * access log. A number below 10^11 counts seconds, one below 10^14 milliseconds, others
   * microseconds: so read, all of them are between 1973 and 5138.
   */
  static long ofAnyForm(String name, String text) {
    if (NUMBER.matcher(text).matches()) {
      BigDecimal number = decimal(text);
      int digits = number.precision() - number.scale();
      return ofMillis(
          number.movePointRight(digits <= 11 ? 3 : digits <= 14 ? 0 : -3).toPlainString());
    }
    if (text.indexOf('/') > 0) {
      return AccessLogParser.parse(text);
    }
    try {
      return ofIso(text);
    } catch (MalformedLineException neither) {
      throw new MalformedLineException(
          name + " must be a time: seconds since 1970 or an ISO instant, was \"" + text + '"');
    }
  }

  private static BigDecimal decimal(String number) {
    try {
      return new BigDecimal(number);
    } catch (NumberFormatException exponentTooLarge) {
      throw outOfRange(number);
    }
  }

  /** An ISO 8601 instant: {@code 2026-03-01T12:00:00.25Z}, or with an offset. */
  static long ofIso(String text) {
    Instant instant;
    try {
      instant = Instant.parse(text);
    } catch (DateTimeException notAnInstant) {
      throw new MalformedLineException(
          "at must be milliseconds since 1970 or an ISO instant, was \"" + text + '"');
    }
    if (instant.getEpochSecond() < 0 || instant.getEpochSecond() >= END_MICROS / 1_000_000) {
      throw outOfRange(text);
    }
    return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1000;
  }

  /** A time as it is, if it is one that every store can hold. */
  static long checked(long micros, String shown) {
    if (micros < 0 || micros >= END_MICROS) {
      throw outOfRange(shown);
    }
    return micros;
  }

  private static MalformedLineException outOfRange(String shown) {
    return new MalformedLineException("at must be between 1970 and 2149, was " + shown);
  }

  private static boolean isDigits(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return !text.isEmpty();
  }
}
