/** Tensor names of two checkpoints of one model, which may differ by a prefix such as `model.` or `transformer.`. */

/**
 * The base's names that a name can stand for: itself, or otherwise every one that ends with it, or that it ends with,
 * after a dot.
 */
export function matchNames(base: readonly string[]): (name: string) => string[] {
  const known = new Set(base)
  const bySuffix = new Map<string, string[]>()
  for (const name of base) {
    for (const suffix of suffixes(name)) {
      const list = bySuffix.get(suffix)
      if (list) list.push(name)
      else bySuffix.set(suffix, [name])
    }
  }
  return (name) =>
    known.has(name) ? [name] : [...(bySuffix.get(name) ?? []), ...suffixes(name).filter((suffix) => known.has(suffix))]
}

function suffixes(name: string): string[] {
  const list: string[] = []
  for (let dot = name.indexOf('.'); dot >= 0 && list.length < LONGEST_PREFIX; dot = name.indexOf('.', dot + 1))
    list.push(name.slice(dot + 1))
  return list
}

/** Words of a prefix; more would make long hostile names cost the square of their length. */
const LONGEST_PREFIX = 16
