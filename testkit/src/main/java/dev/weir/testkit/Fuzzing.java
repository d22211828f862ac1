package dev.weir.testkit;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/**
 * Hands hostile texts to a parser. By default a fixed number of them, the same in every run, so
 * that a change is what makes a test fail. The system property {@code weir.fuzz-seconds} goes
 * looking for more: for so long, from a seed of its own, which is printed; {@code weir.seed}
 * repeats such a run.
 */
public final class Fuzzing {
  private static final long DEFAULT_SEED = 1;
  private static final long DEFAULT_TEXTS = 20_000;

  private Fuzzing() {}

  /**
   * @param name of what is tested, for messages
   * @param samples valid inputs, which reach deepest
   * @param parser returns or throws what it documents; anything else it throws fails the run
   * @return how many texts were tried
   */
  public static long run(String name, List<String> samples, Consumer<String> parser) {
    Long seconds = Long.getLong("weir.fuzz-seconds");
    long seed = Long.getLong("weir.seed", seconds == null ? DEFAULT_SEED : System.nanoTime());
    System.out.println("fuzzing " + name + ", seed " + seed);
    TextMutator mutator = new TextMutator(seed, samples);
    if (seconds == null) {
      return run(name, seed, mutator, parser, tried -> tried < DEFAULT_TEXTS);
    }
    long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    return run(name, seed, mutator, parser, tried -> System.nanoTime() - end < 0);
  }

  private static long run(
      String name, long seed, TextMutator mutator, Consumer<String> parser, LongPredicate goesOn) {
    long tried = 0;
    for (; goesOn.test(tried); tried++) {
      String text = mutator.next();
      try {
        parser.accept(text);
      } catch (RuntimeException | Error failure) {
        throw new AssertionError(
            name + " failed on \"" + escaped(text) + "\", seed " + seed, failure);
      }
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
