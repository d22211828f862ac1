package dev.weir.rules.internal.match;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Numbers of rules, in the order they were added; grows as needed. Not safe for many threads. */
final class Numbers {
  private int[] numbers;
  private int size;

  Numbers(int room) {
    numbers = new int[room];
  }

  /** One more, in numbers that are made for the first. */
  static Numbers with(@Nullable Numbers some, int number) {
    Numbers all = some == null ? new Numbers(1) : some;
    all.makeRoom(1);
    all.numbers[all.size++] = number;
    return all;
  }

  void addAll(@Nullable Numbers more) {
    if (more != null) {
      makeRoom(more.size);
      System.arraycopy(more.numbers, 0, numbers, size, more.size);
      size += more.size;
    }
  }

  private void makeRoom(int more) {
    if (size + more > numbers.length) {
      numbers = Arrays.copyOf(numbers, Math.max(2 * numbers.length, size + more));
    }
  }

  void sort() {
    if (size > 1) {
      Arrays.sort(numbers, 0, size);
    }
  }

  int size() {
    return size;
  }

  int get(int index) {
    return numbers[index];
  }
}
