/** The tiny rerankers of `golden/rerankers.json`, written as folders. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { goldenOf } from '../../golden-of.ts'

export interface GoldenReranker {
  readonly name: string
  /** JSON, or the text of a chat template. */
  readonly files: Readonly<Record<string, Readonly<Record<string, unknown>> | string>>
  readonly weights: string
  /** By path. */
  readonly moduleWeights?: Readonly<Record<string, string>>
  /** Where it is not the folder's own. */
  readonly maxLength?: number
  readonly scores: readonly number[]
}

export const goldenRerankers = goldenOf<{ pairs: [string, string][]; cases: GoldenReranker[] }>(
  'model/checkpoint',
  'rerankers',
)

/** `keys` replace those of config.json. */
export async function writeReranker(
  folder: string,
  { files, weights, moduleWeights = {} }: GoldenReranker,
  keys: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    const own = typeof content === 'string' || file !== 'config.json' ? content : { ...content, ...keys }
    await writeFile(join(folder, file), typeof own === 'string' ? own : JSON.stringify(own))
  }
  for (const [file, bytes] of Object.entries({ 'model.safetensors': weights, ...moduleWeights }))
    await writeFile(join(folder, file), Buffer.from(bytes, 'base64'))
}
