package dev.weir.internal;

import dev.weir.internal.text.HumanDuration;
import java.time.Duration;

/** Argument checks whose messages name the argument, the rule and the value, in that order. */
public final class Check {
  /** The largest integer that a double, and so a Lua number, still counts exactly: 2^53 - 1. */
  public static final long MAX_PERMITS = (1L << 53) - 1;

  public static final Duration MAX_PERIOD = Duration.ofDays(400);

  private Check() {}

  public static <T> T notNull(String name, T value) {
    if (value == null) { // not requireNonNull with a supplier: this runs many times per decision
      throw new NullPointerException(name + " must not be null");
    }
    return value;
  }

  /** Permits that a limit hands out: at least one. */
  public static long limitPermits(String name, long value) {
    if (value < 1 || value > MAX_PERMITS) {
      throw new IllegalArgumentException(
          name + " must be between 1 and " + MAX_PERMITS + ", was " + value);
    }
    return value;
  }

  /** Permits that a request asks for: 0 asks without taking. */
  public static long requestPermits(long value) {
    if (value < 0) {
      throw new IllegalArgumentException("permits must be 0 or more, was " + value);
    }
    return value;
  }

  public static Duration positive(String name, Duration value) {
    notNull(name, value);
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(
          name + " must be longer than zero, was " + HumanDuration.of(value));
    }
    return value;
  }

  public static Duration period(String name, Duration value) {
    positive(name, value);
    if (value.compareTo(MAX_PERIOD) > 0) {
      throw new IllegalArgumentException(
          name + " must be at most 400 days, was " + HumanDuration.of(value));
    }
    if (value.getNano() % 1000 != 0) {
      throw new IllegalArgumentException(
          name + " must be whole microseconds, was " + HumanDuration.of(value));
    }
    return value;
  }

  public static Duration notNegative(String name, Duration value) {
    notNull(name, value);
    if (value.isNegative()) {
      throw new IllegalArgumentException(
          name + " must be zero or longer, was " + HumanDuration.of(value));
    }
    return value;
  }

  public static String notBlank(String name, String value) {
    notNull(name, value);
    if (value.isBlank()) {
      throw new IllegalArgumentException(name + " must not be blank, was \"" + value + "\"");
    }
    return value;
  }

  public static int percent(String name, int value) {
    if (value < 1 || value > 100) {
      throw new IllegalArgumentException(name + " must be from 1 to 100 %, was " + value + " %");
    }
    return value;
  }

  public static long atLeastOne(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be 1 or more, was " + value);
    }
    return value;
  }
}
