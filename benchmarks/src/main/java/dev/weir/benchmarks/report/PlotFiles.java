package dev.weir.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Plots as files that a report shows. */
public final class PlotFiles {
  private PlotFiles() {}

  /** Writes plots by their file names, replacing those of earlier runs. */
  public static void write(Map<String, String> plots, Path folder) throws IOException {
    Files.createDirectories(folder);
    for (Map.Entry<String, String> plot : plots.entrySet()) {
      Files.writeString(folder.resolve(plot.getKey()), plot.getValue());
    }
  }

  /** A plot as Markdown shows it. */
  public static String image(String words, String file) {
    return "![" + words + "](images/" + file + ")\n";
  }
}
