/** The same metrics for library users and for the service, in any Micrometer registry. */
@SuppressWarnings({
  "requires-automatic",
  "requires-transitive-automatic"
}) // Micrometer has only a name
module dev.weir.micrometer {
  requires transitive dev.weir.core;
  requires transitive dev.weir.rules;
  requires transitive micrometer.core;
  requires static org.jspecify;

  exports dev.weir.micrometer;
}
