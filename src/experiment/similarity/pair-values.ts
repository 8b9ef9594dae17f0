/** Similarities of pairs of models on disk: a line per pair, under the hash of everything that moves its value. */
import { dirname, join } from 'node:path'
import { addLine, type JournalKind, keepHashes, makeFolder, readJournal } from '#platform/disk'

interface PairValue {
  readonly pair: string
  readonly value: number
}

const kind: JournalKind<PairValue> = {
  name: 'similarities of models',
  table: true,
  isPiece: (piece): piece is PairValue =>
    typeof piece === 'object' &&
    piece !== null &&
    'pair' in piece &&
    'value' in piece &&
    typeof piece.pair === 'string' &&
    typeof piece.value === 'number',
}

export interface PairValues {
  /** Undefined where no earlier call has added it. */
  of(pair: string): number | undefined
  /** Throws `file.write`. */
  add(pair: string, value: number): Promise<void>
}

/**
 * The pairs of `name` in a folder of caches; hashes of weights are kept there, too, as every pair is named by them.
 * Throws `usage.conflict` for a file of somebody else's, `file.write`.
 */
export async function openPairs(cache: string, name: string): Promise<PairValues> {
  const path = join(cache, 'similarities', `${name}.jsonl`)
  await keepHashes(join(cache, 'hashes.jsonl'))
  await makeFolder(dirname(path))
  const values = new Map((await readJournal(path, kind))?.map(({ pair, value }) => [pair, value]))
  return {
    of: (pair) => values.get(pair),
    async add(pair, value) {
      values.set(pair, value)
      await addLine(path, { pair, value } satisfies PairValue)
    },
  }
}
