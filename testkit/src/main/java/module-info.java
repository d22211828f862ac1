/** For tests of applications and of stores. */
module dev.weir.testkit {
  requires transitive dev.weir.core;
  requires transitive org.junit.jupiter.api;
  requires org.junit.jupiter.params;
  requires org.assertj.core;
  requires static transitive org.jspecify;

  exports dev.weir.testkit;
}
