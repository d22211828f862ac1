package dev.weir.testkit;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Hands hostile texts to a parser for a bounded time. The system property {@code weir.fuzz-seconds}
 * sets how long, {@code weir.seed} repeats a run; the seed is printed.
 */
public final class Fuzzing {
  private static final long DEFAULT_SECONDS = 5;

  private Fuzzing() {}

  /**
   * @param name of what is tested, for messages
   * @param samples valid inputs, which reach deepest
   * @param parser returns or throws what it documents; anything else it throws fails the run
   * @return how many texts were tried
   */
  public static long run(String name, List<String> samples, Consumer<String> parser) {
    long seed = Long.getLong("weir.seed", System.nanoTime());
    Duration time = Duration.ofSeconds(Long.getLong("weir.fuzz-seconds", DEFAULT_SECONDS));
    System.out.println("fuzzing " + name + " for " + time.toSeconds() + " s, seed " + seed);
    TextMutator mutator = new TextMutator(seed, samples);
    long end = System.nanoTime() + time.toNanos();
    long tried = 0;
    while (System.nanoTime() - end < 0) {
      String text = mutator.next();
      try {
        parser.accept(text);
      } catch (RuntimeException | Error failure) {
        throw new AssertionError(
            name + " failed on \"" + escaped(text) + "\", seed " + seed, failure);
      }
      tried++;
    }
    return tried;
  }

  private static String escaped(String text) {
    StringBuilder out = new StringBuilder();
    for (char c : text.toCharArray()) {
      out.append(
          c >= ' ' && c < 127 && c != '\\' ? String.valueOf(c) : "\\u%04x".formatted((int) c));
    }
    return out.toString();
  }
}
