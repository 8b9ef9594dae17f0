/** The tiny sparse models of `golden/sparse.json`, written as folders. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { goldenOf } from '../../golden-of.ts'

export interface GoldenVector {
  readonly columns: readonly number[]
  readonly weights: readonly number[]
}

export interface GoldenSparse {
  readonly name: string
  /** Hash of each file's content. */
  readonly files: Readonly<Record<string, string>>
  readonly width: number
  readonly plain: readonly GoldenVector[]
  readonly queries: readonly GoldenVector[]
  readonly documents: readonly GoldenVector[]
  readonly scores: readonly (readonly number[])[]
}

export const goldenSparse = goldenOf<{
  queries: string[]
  documents: string[]
  contents: Record<string, string | Record<string, unknown>>
  cases: GoldenSparse[]
}>('model/checkpoint', 'sparse')

export function sparseCase(name: string): GoldenSparse {
  const found = goldenSparse.cases.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no case ${name}`)
  return found
}

/** `changes`: keys of a JSON file that others take the place of; null leaves the file out. */
export async function writeSparse(
  folder: string,
  { files }: GoldenSparse,
  changes: Readonly<Record<string, Readonly<Record<string, unknown>> | null>> = {},
): Promise<string> {
  for (const [file, hash] of Object.entries(files)) {
    const content = goldenSparse.contents[hash]
    const change = changes[file]
    if (content === undefined || change === null) continue
    await mkdir(dirname(join(folder, file)), { recursive: true })
    if (typeof content === 'string') await writeFile(join(folder, file), Buffer.from(content, 'base64'))
    else
      await writeFile(
        join(folder, file),
        JSON.stringify(Array.isArray(content) || change === undefined ? content : { ...content, ...change }),
      )
  }
  return folder
}
