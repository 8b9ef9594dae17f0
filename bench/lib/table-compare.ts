/** Two models whose tables of tokens were changed, row by row. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openTensors, widen64 } from './strata.ts'

/**
 * `onPurpose`: tokens whose rows may differ; they are counted apart. `from`: by table, −1 for rows that were made up;
 * those are told by their distance as a share of their length, of all others how many are not equal to the bit.
 */
export async function compareTables(
  ours: string,
  theirs: string,
  donor: string,
  from: ReadonlyMap<string, Int32Array>,
  onPurpose: (token: string) => boolean,
): Promise<{ unequal: number; purposeful: number; distances: number[]; problems: string[] }> {
  const [own, other] = await Promise.all([ours, theirs].map((folder) => openTensors(join(folder, 'model.safetensors'))))
  const problems: string[] = []
  const distances: number[] = []
  let [unequal, purposeful] = [0, 0]
  const where = new Map<string, string[]>()
  const tokens = tokensOf(donor)
  try {
    for (const name of new Set([...own!.names(), ...other!.names()])) {
      const [a, b] = [own!.info(name), other!.info(name)]
      if (a === undefined || b === undefined || a.dtype !== b.dtype || a.shape.join() !== b.shape.join()) {
        const said = (info: typeof a): string =>
          info === undefined ? 'absent' : `${info.dtype} [${info.shape.join()}]`
        if (!/\.attention\.(bias|masked_bias)$|inv_freq$/.test(name))
          problems.push(`${name}: ${said(a)}, theirs ${said(b)}`)
        continue
      }
      const [x, y] = [widen64(await own!.read(name), a.dtype), widen64(await other!.read(name), b.dtype)]
      const width = a.shape.length === 2 ? (a.shape[1] ?? 1) : 1
      for (let row = 0; row * width < x.length; row++) {
        const [p, q] = [x.subarray(row * width, (row + 1) * width), y.subarray(row * width, (row + 1) * width)]
        const distance = Math.sqrt(p.reduce((sum, value, i) => sum + (value - q[i]!) ** 2, 0))
        const made = from.get(name)?.[row] === -1
        if (distance === 0 && !made) continue
        if (distance > 0 && onPurpose(tokens[row] ?? '')) {
          purposeful++
          continue
        }
        if (distance === 0) {
          distances.push(0)
          continue
        }
        const length = Math.sqrt(q.reduce((sum, value) => sum + value * value, 0))
        if (!made) unequal++
        else {
          distances.push(distance / length)
          if (!(distance / length <= 1e-2)) where.set(name, [...(where.get(name) ?? []), tokens[row] ?? '?'])
        }
      }
    }
  } finally {
    await Promise.all([own!.close(), other!.close()])
  }
  for (const [name, list] of where) problems.push(`${list.length} far rows of ${name}: ${list.slice(0, 12).join(' ')}`)
  return { unequal, purposeful, distances, problems }
}

function tokensOf(folder: string): string[] {
  const { model, added_tokens: added = [] } = JSON.parse(readFileSync(join(folder, 'tokenizer.json'), 'utf8')) as {
    model: { vocab: Record<string, number> }
    added_tokens?: { id: number; content: string }[]
  }
  const out: string[] = []
  for (const [token, id] of Object.entries(model.vocab)) out[id] = token
  for (const { content, id } of added) out[id] = content
  return out
}
