/** Columns of heads as an axis of their own. */
import type { Builder, Value } from './builder.ts'

/** [B × S × count·D] → [B × count × S × D]. */
export function byHead(builder: Builder, x: Value, count: number, headWidth: number): Value {
  return builder.transpose(builder.reshape(x, [0, 0, count, headWidth]), [0, 2, 1, 3])
}
