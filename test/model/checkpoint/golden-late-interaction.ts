/** The tiny late-interaction models of `golden/late-interaction.json`, written as folders. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Matrix, Searcher, SearchRequest } from '#core'
import { goldenOf } from '../../golden-of.ts'

export interface GoldenLate {
  readonly name: string
  readonly files: Readonly<Record<string, unknown>>
  /** Base64 by path. */
  readonly weights: Readonly<Record<string, string>>
  /** [queries][documents] */
  readonly scores: readonly (readonly number[])[]
  /** The same of each hidden state. */
  readonly states: readonly (readonly (readonly number[])[])[]
}

export const goldenLate = goldenOf<{ queries: string[]; documents: string[]; cases: GoldenLate[] }>(
  'model/checkpoint',
  'late-interaction',
)

/** `changed` replaces keys of files. */
export async function writeLate(
  folder: string,
  { files, weights }: GoldenLate,
  changed: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {},
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    const own = changed[path]
    await writeFile(
      join(folder, path),
      JSON.stringify(own === undefined ? content : { ...(content as object), ...own }),
    )
  }
  for (const [path, bytes] of Object.entries(weights)) await writeFile(join(folder, path), Buffer.from(bytes, 'base64'))
}

/** Every score that a search reports, [queries][documents]; NaN for a pair that it leaves out. */
export async function scoresOf(
  searcher: Searcher,
  queries: readonly string[],
  documents: readonly string[],
  askers?: SearchRequest['askers'],
): Promise<number[][]> {
  const found = queries.map(() => documents.map(() => NaN))
  await searcher.search(
    {
      queries,
      documents: { length: documents.length, at: (indexes) => Array.from(indexes, (index) => documents[index] ?? '') },
      languages: ['eng-Latn'],
      askers,
    },
    (query, start, scores) => found[query]?.splice(start, scores.length, ...scores),
  )
  return found
}

/** Rows of plain numbers. */
export function rowsOf({ rows, width, data }: Matrix): number[][] {
  return Array.from({ length: rows }, (_, i) => [...data.subarray(i * width, (i + 1) * width)])
}
