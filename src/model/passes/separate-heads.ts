/**
 * A head that is stored next to the token table it is tied to: of the same bytes it is the table, and is not loaded
 * twice; with others it counts, as in transformers 5.
 */
import type { TensorSource } from '#core'
import type { ModelSpec } from '#model/architectures'
import { storedTies } from '#model/graph'

/** The source without heads that repeat the table. `onNotice` receives a line for each that differs from it. */
export async function separateHeads(
  spec: ModelSpec,
  tensors: TensorSource,
  onNotice: ((line: string) => void) | undefined,
): Promise<TensorSource> {
  const repeated = new Set<string>()
  for (const { head, table } of storedTies(spec, tensors)) {
    if (await sameBytes(tensors, head, table)) repeated.add(head)
    else
      onNotice?.(
        `${tensors.name}: config.json ties ${head} to ${table}, and the file stores another: the stored head counts (as transformers 5 reads it)`,
      )
  }
  if (repeated.size === 0) return tensors
  return {
    ...tensors,
    names: () => tensors.names().filter((name) => !repeated.has(name)),
    info: (name) => (repeated.has(name) ? undefined : tensors.info(name)),
  }
}

async function sameBytes(tensors: TensorSource, a: string, b: string): Promise<boolean> {
  const [first, second] = [tensors.info(a), tensors.info(b)]
  if (first?.dtype !== second?.dtype || first?.shape.join() !== second?.shape.join()) return false
  const [here, there] = [tensors.locate(a), tensors.locate(b)]
  if (here !== undefined && here.path === there?.path && here.offset === there.offset) return true
  return Buffer.compare(await tensors.read(a), await tensors.read(b)) === 0
}
