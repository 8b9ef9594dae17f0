/** The tiny rerankers of `golden/rerankers.json`, written as folders. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { goldenOf } from '../../golden-of.ts'

export interface GoldenReranker {
  readonly name: string
  readonly files: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly weights: string
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
  { files, weights }: GoldenReranker,
  keys: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), JSON.stringify(file === 'config.json' ? { ...content, ...keys } : content))
  }
  await writeFile(join(folder, 'model.safetensors'), Buffer.from(weights, 'base64'))
}
