/** Writes results: completely or not at all; the last writer wins; a success replaces an earlier failure. */
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { fault, type Result } from '#core'
import { createTableWriter, readColumns, type TableColumn, type TableRow } from '#files/tables'
import { writeWhole } from '#platform/disk'
import { cleanOnce } from './clean.ts'
import { resultDocument } from './document.ts'
import { writeModelMeta, type ModelFacts } from './model-meta.ts'
import { readResult } from './find-results.ts'
import { fingerprintVersion } from './fingerprint.ts'
import { failurePath, itemsPath, outdatedPath, resultPath, type ResultPlace } from './paths.ts'

/** Scores of single items (texts, pairs, queries), for paired tests. */
export interface Items {
  readonly columns: readonly TableColumn[]
  readonly rows: readonly TableRow[]
}

export interface WriteOptions {
  /** Written first; without them, items of an earlier result are removed, because they would contradict this one. */
  items?: Items | undefined
  /** The result was merged into an earlier one, whose items of other parts stay. */
  isMerged?: boolean | undefined
  /** A file of items that also belong to this result, instead of `items`. */
  itemsFrom?: string | undefined
  /** For `model_meta.json`. */
  model?: ModelFacts | undefined
}

/** The place of a task's result, from its own fields. */
export function toPlace(root: string, { strata: { model, revision, representation } }: Result): ResultPlace {
  return { root, model, revision, representation }
}

/**
 * Writes a result as `<Task>.json`, or a failure as `failed/<Task>.json` (an older result of the task stays), with the
 * scores of its items, and returns the path. Throws `file.write`, and `result.invalid` for a finished result without a
 * score.
 *
 * @example
 * ```ts
 * import { listResults, writeResult } from 'strata-lm/ledger'
 *
 * const [{ result } = {}] = await listResults('results')
 * if (result?.strata !== undefined) {
 *   const { strata, ...scored } = result
 *   const copy = { ...scored, kg_co2_emissions: null, strata: { ...strata, model: 'org/copy', revision: 'main' } }
 *   console.log(await writeResult('copy', copy))
 * }
 * // → copy/org__copy/main/STS17.json
 * ```
 */
export async function writeResult(
  root: string,
  result: Result,
  { items, isMerged = false, itemsFrom, model }: WriteOptions = {},
): Promise<string> {
  const { task_name: task, strata } = result
  const place = toPlace(root, result)
  const document = resultDocument(result)
  const text = `${JSON.stringify(document, null, 2)}\n`
  await cleanOnce(root)
  await writeModelMeta(place, model)
  switch (strata.status) {
    case 'failed': {
      const path = failurePath(place, task)
      await writeWhole(path, text)
      return path
    }
    case 'ok': {
      const path = resultPath(place, task)
      await keepOutdated(path, outdatedPath(place, task))
      if (items !== undefined)
        await writeItems(itemsPath(place, task), isMerged ? await joinItems(itemsPath(place, task), items) : items)
      else if (itemsFrom !== undefined && existsSync(itemsFrom))
        await writeWhole(itemsPath(place, task), await readFile(itemsFrom))
      else await rm(itemsPath(place, task), { force: true })
      await writeWhole(path, text)
      await rm(failurePath(place, task), { force: true })
      return path
    }
    default:
      throw fault('result.invalid', {
        place: task,
        what: 'a result must be ok or failed',
        seen: strata.status satisfies never,
      })
  }
}

/** A Strata result with an older fingerprint is kept aside, so that a quoted score can be found again. */
async function keepOutdated(path: string, aside: string): Promise<void> {
  const found = await readResult(path, {})
  const old = found?.result?.strata
  if (old === undefined || old.fingerprint_version === fingerprintVersion) return
  // Copied, so that the path always exists; the first result that was moved aside stays.
  if (existsSync(aside)) return
  await writeWhole(aside, await readFile(path))
}

/** The new items with those of a file whose part has none among them. A file that cannot be read has none. */
async function joinItems(path: string, items: Items): Promise<Items> {
  if (!existsSync(path)) return items
  const before = await readColumns([path], { format: 'parquet', place: path }).catch(() => undefined)
  if (before === undefined) return items
  const partOf = ({ split, subset }: TableRow): string => JSON.stringify([split, subset])
  const fresh = new Set(items.rows.map(partOf))
  const rows = Array.from({ length: before.rows }, (_, row): TableRow =>
    Object.fromEntries(Object.entries(before.columns).map(([name, values]) => [name, values[row]])),
  ).filter((row) => !fresh.has(partOf(row)))
  const known = new Set(items.columns.map(({ name }) => name))
  const others = Object.keys(before.columns).filter((name) => !known.has(name))
  const columns = [
    ...items.columns,
    ...others.map((name): TableColumn => ({
      name,
      type: rows.some((row) => typeof row[name] === 'string') ? 'text' : 'number',
    })),
  ]
  const filled = (row: TableRow): TableRow => Object.fromEntries(columns.map(({ name }) => [name, row[name] ?? null]))
  return { columns, rows: [...rows, ...items.rows].map(filled) }
}

async function writeItems(path: string, { columns, rows }: Items): Promise<void> {
  const writer = await createTableWriter(path, columns)
  try {
    await writer.append(rows)
    await writer.finish()
  } catch (error) {
    await writer.abort()
    throw error
  }
}
