/** A tensor source that counts how often it is asked where a tensor lies. */
import type { TensorSource } from '#core'

export function countingSource(inner: TensorSource): { source: TensorSource; located: ReadonlyMap<string, number> } {
  const located = new Map<string, number>()
  return {
    located,
    source: {
      ...inner,
      locate(name) {
        located.set(name, (located.get(name) ?? 0) + 1)
        return inner.locate(name)
      },
    },
  }
}
