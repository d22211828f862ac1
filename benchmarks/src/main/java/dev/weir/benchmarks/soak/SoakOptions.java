package dev.weir.benchmarks.soak;

/**
 * What the command line asks for.
 *
 * @param minutes of load
 */
record SoakOptions(int minutes) {
  static final String USAGE =
      """
      usage: java -jar benchmarks/target/benchmarks.jar soak [--minutes N]
        --minutes N   how long to load and disturb the service: 1 to 120, 5 unless given""";

  private static final int LONGEST = 120;

  static SoakOptions parse(String... arguments) {
    int minutes = 5;
    for (int i = 0; i < arguments.length; i++) {
      if (!arguments[i].equals("--minutes")) {
        throw new IllegalArgumentException("unknown option, was " + arguments[i]);
      }
      minutes = minutes(++i < arguments.length ? arguments[i] : "nothing");
    }
    return new SoakOptions(minutes);
  }

  private static int minutes(String text) {
    int minutes = text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : 0;
    if (minutes < 1 || minutes > LONGEST) {
      throw new IllegalArgumentException("--minutes must be from 1 to 120, was " + text);
    }
    return minutes;
  }
}
