package dev.weir.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class JsonWriterTest {
  @Test
  void membersAreSeparatedAndNested() {
    StringBuilder out = new StringBuilder("> ");
    new JsonWriter(out)
        .beginObject()
        .member("text", "a")
        .member("none", (String) null)
        .member("yes", true)
        .member("number", 7)
        .member("list", List.of("a", "b"))
        .beginArray("empty")
        .endArray()
        .rawMember("raw", "1.5")
        .endObject();
    assertThat(out)
        .hasToString(
            "> {\"text\":\"a\",\"none\":null,\"yes\":true,\"number\":7,"
                + "\"list\":[\"a\",\"b\"],\"empty\":[],\"raw\":1.5}");
  }

  @Test
  void stringsAreEscapedWhereJsonOrUtf8WouldBreak() {
    assertThat(quoted("a\"b\\c/\r\n\t\u0000\u001f\u007f\u00fc\u2028"))
        .isEqualTo("\"a\\\"b\\\\c/\\u000d\\u000a\\u0009\\u0000\\u001f\u007f\u00fc\u2028\"");
    assertThat(quoted("\ud83d\ude00")).isEqualTo("\"\ud83d\ude00\"");
    assertThat(quoted("\ud83dx\ude00")).isEqualTo("\"\\ud83dx\\ude00\"");
    assertThat(quoted("\ude00\ud83d")).isEqualTo("\"\\ude00\\ud83d\"");
    assertThat(quoted("\ud83d\ud83d\ude00\ude00")).isEqualTo("\"\\ud83d\ud83d\ude00\\ude00\"");
    assertThat(quoted("")).isEqualTo("\"\"");
  }

  @Test
  void whatPeopleReadIsAsciiIfAskedFor() {
    StringBuilder out = new StringBuilder();
    JsonWriter.asciiOnly(out).beginObject().member("k", "\u009b\u00fc\ud800~").endObject();
    assertThat(out).hasToString("{\"k\":\"\\u009b\\u00fc\\ud800~\"}");
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder();
    new JsonWriter(out).beginObject().member("k", text).endObject();
    return out.substring(5, out.length() - 1);
  }
}
