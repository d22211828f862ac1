package dev.weir.server.grpc;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Values without a schema: texts, numbers, booleans, lists and maps, as messages and back. */
final class StructMessages {
  private StructMessages() {}

  static Struct struct(Map<?, ?> values) {
    Struct.Builder out = Struct.newBuilder();
    values.forEach((key, value) -> out.putFields((String) key, value(value)));
    return out.build();
  }

  private static Value value(Object value) {
    Value.Builder out = Value.newBuilder();
    if (value instanceof Map<?, ?> map) {
      return out.setStructValue(struct(map)).build();
    }
    if (value instanceof List<?> list) {
      ListValue.Builder items = ListValue.newBuilder();
      list.forEach(each -> items.addValues(value(each)));
      return out.setListValue(items).build();
    }
    if (value instanceof Number number) {
      return out.setNumberValue(number.doubleValue()).build();
    }
    return value instanceof Boolean flag
        ? out.setBoolValue(flag).build()
        : out.setStringValue(value.toString()).build();
  }

  static Map<String, Object> map(Struct struct) {
    Map<String, Object> out = new LinkedHashMap<>();
    struct.getFieldsMap().forEach((key, value) -> out.put(key, object(value)));
    return out;
  }

  private static Object object(Value value) {
    return switch (value.getKindCase()) {
      case STRUCT_VALUE -> map(value.getStructValue());
      case LIST_VALUE -> {
        List<Object> items = new ArrayList<>();
        value.getListValue().getValuesList().forEach(each -> items.add(object(each)));
        yield items;
      }
      case NUMBER_VALUE -> value.getNumberValue();
      case BOOL_VALUE -> value.getBoolValue();
      case STRING_VALUE -> value.getStringValue();
      case NULL_VALUE, KIND_NOT_SET -> "";
    };
  }
}
