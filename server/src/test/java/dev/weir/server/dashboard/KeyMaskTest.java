package dev.weir.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What stands in the place of a key. */
final class KeyMaskTest {
  private final KeyMask mask = new KeyMask();

  @Test
  void aKeyKeepsItsCodeAndOthersHaveOthers() {
    assertThat(mask.mask("ann")).isEqualTo(mask.mask("ann")).matches("key-[0-9a-f]{8}");
    assertThat(mask.mask("ann")).isNotEqualTo(mask.mask("bob"));
  }

  @Test
  void anotherProcessHasOtherCodesSoThatNobodyCanComputeThem() {
    assertThat(new KeyMask().mask("ann")).isNotEqualTo(mask.mask("ann"));
  }
}
