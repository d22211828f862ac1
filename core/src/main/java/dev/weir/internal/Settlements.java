package dev.weir.internal;

import java.time.Duration;

/** What all stores share for settlements, each of which must count once. */
public final class Settlements {
  /** How long a settlement is remembered, so that it is not made twice. */
  public static final Duration REMEMBERED = Duration.ofMinutes(10);

  public static final long REMEMBERED_MICROS = Micros.of(REMEMBERED);

  private Settlements() {}

  public static IllegalArgumentException withoutHolder() {
    return new IllegalArgumentException("receipt must have a holder to be settled");
  }
}
