/**
 * Columns that a data set declares as class labels, wherever it does: the head of the README, dataset_infos.json, the
 * notes in a parquet file.
 */
import { isObject } from '#files/formats'

/** Column → names of its classes. */
export type ClassNames = ReadonlyMap<string, readonly string[]>

/** From `features` as the README has them: a list of `{ name, dtype: { class_label: { names } } }`. */
export function namesInHead(features: unknown): ClassNames {
  return new Map(
    list(features)
      .map(record)
      .flatMap(({ name, dtype }) => {
        const declared = record(dtype)
        return typeof name === 'string' && 'class_label' in declared
          ? [[name, classNames(record(declared['class_label'])['names'])] as const]
          : []
      }),
  )
}

/** From `features` as JSON has them: an object from columns to `{ _type: "ClassLabel", names }`. */
export function namesInJson(features: unknown): ClassNames {
  return new Map(
    Object.entries(record(features)).flatMap(([name, feature]) =>
      record(feature)['_type'] === 'ClassLabel' ? [[name, classNames(record(feature)['names'])] as const] : [],
    ),
  )
}

/** Names as a list, or as the hub writes them: an object from positions to names. */
function classNames(names: unknown): string[] {
  const own = Array.isArray(names)
    ? names
    : Object.entries(record(names))
        .sort(([a], [b]) => Number(a) - Number(b))
        .map(([, name]) => name)
  return own.map(String)
}

export function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined || value === null ? [] : [value]
}

export function record(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}
