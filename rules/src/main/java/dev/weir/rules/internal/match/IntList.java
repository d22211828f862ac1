package dev.weir.rules.internal.match;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Numbers of rules, in the order they were added; grows as needed. Not safe for many threads. */
final class IntList {
  private int[] numbers;
  private int size;

  IntList(int capacity) {
    numbers = new int[capacity];
  }

  /** Adds a number; creates the list if there is none. */
  static IntList with(@Nullable IntList some, int number) {
    IntList all = some == null ? new IntList(1) : some;
    all.makeRoom(1);
    all.numbers[all.size++] = number;
    return all;
  }

  void addAll(@Nullable IntList more) {
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
