package dev.weir.rules.internal.match;

import java.util.Arrays;

/** Numbers of rules that may match one request; grows as needed. */
final class Candidates {
  private int[] numbers = new int[8];
  private int size;

  void add(int[] more) {
    if (size + more.length > numbers.length) {
      numbers = Arrays.copyOf(numbers, Math.max(2 * numbers.length, size + more.length));
    }
    System.arraycopy(more, 0, numbers, size, more.length);
    size += more.length;
  }

  /** In the order of the rules; a rule found by two of its patterns is there twice. */
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
