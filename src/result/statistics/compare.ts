/** Two results of one task: the difference over what both scored, and whether it is more than chance where single items are kept. */
import { stat } from 'node:fs/promises'
import type { Scores } from '#core'
import { readColumns } from '#files/tables'
import { type Interval, pairedBootstrap, type PairedPart } from './bootstrap.ts'
import { type ItemColumns, statisticOf } from './item-statistics.ts'
import { itemsPath, type ResultPlace } from '#result/ledger'

/** Scores of a task, and where its items lie if they are kept. */
export interface Side {
  readonly scores: Scores
  readonly place?: ResultPlace
}

export interface Comparison {
  readonly task: string
  /** Means of the main scores over the parts that both have; null when there are none. */
  readonly ours: number | null
  readonly theirs: number | null
  readonly difference: number | null
  /** Parts (split, subset) that both scored, and those of ours. */
  readonly parts: number
  readonly of: number
  /** Of the difference; absent where items are missing or do not make up the scores, `why` then says which. */
  readonly interval?: Interval
  readonly why?: string
}

/** Compares by split and subset, always by name. Reads both sides' items when `interval` is asked for. */
export async function compareTask(
  task: string,
  ours: Side,
  theirs: Side,
  { interval = true, draws, seed }: { interval?: boolean; draws?: number | undefined; seed?: number | undefined } = {},
): Promise<Comparison> {
  const own = partsOf(ours.scores)
  const others = partsOf(theirs.scores)
  const common = [...own].flatMap(([key, score]) => {
    const other = others.get(key)
    return other === undefined ? [] : [{ key, ours: score, theirs: other }]
  })
  const [a, b] = [mean(common.map((part) => part.ours)), mean(common.map((part) => part.theirs))]
  const plain = { task, ours: a, theirs: b, difference: a === null || b === null ? null : a - b, parts: common.length, of: own.size }
  if (!interval || common.length === 0) return plain
  const paired = await pairedParts(task, common, ours, theirs)
  if (typeof paired === 'string') return { ...plain, why: paired }
  const found = pairedBootstrap(paired, { draws, seed })
  return found === undefined ? { ...plain, why: 'the score is undefined on resamples of the items' } : { ...plain, interval: found }
}

interface CommonPart {
  readonly key: string
  readonly ours: number
  readonly theirs: number
}

/** Every common part as a pair of statistics on the same items, or why not. */
async function pairedParts(task: string, common: readonly CommonPart[], ours: Side, theirs: Side): Promise<PairedPart[] | string> {
  if (ours.place === undefined || theirs.place === undefined) return 'no single items were published'
  const [own, others] = [await itemsOf(ours.place, task), await itemsOf(theirs.place, task)]
  if (own === undefined || others === undefined) return 'no single items are kept'
  const parts: PairedPart[] = []
  for (const part of common) {
    const [a, b] = [own.get(part.key), others.get(part.key)]
    const items = rowsIn(a)
    if (a === undefined || b === undefined || items !== rowsIn(b) || !sameItems(a, b)) return 'the items of the two are not the same'
    const [left, right] = [statisticOf(a, part.ours), statisticOf(b, part.theirs)]
    if (left === undefined || right === undefined || left.name !== right.name) return 'the score is not a function of the items that are kept'
    parts.push({ items, ours: left.statistic, theirs: right.statistic })
  }
  return parts
}

/** Columns that say which item a row is: texts, and what people said of it. */
function sameItems(a: ItemColumns, b: ItemColumns): boolean {
  const keys = Object.keys(a).filter((name) => name === 'gold' || name === 'label' || a[name]?.some((value) => typeof value === 'string'))
  return keys.every((name) => a[name]?.every((value, i) => value === b[name]?.[i]))
}

function rowsIn(columns: ItemColumns | undefined): number {
  return Math.max(0, ...Object.values(columns ?? {}).map(({ length }) => length))
}

/** Items by split and subset. */
async function itemsOf(place: ResultPlace, task: string): Promise<Map<string, Record<string, unknown[]>> | undefined> {
  const path = itemsPath(place, task)
  if ((await stat(path).catch(() => undefined)) === undefined) return undefined
  const { rows, columns } = await readColumns([path], { format: 'parquet', place: path })
  const names = Object.keys(columns).filter((name) => name !== 'split' && name !== 'subset')
  const parts = new Map<string, Record<string, unknown[]>>()
  for (let i = 0; i < rows; i++) {
    const key = partKey(String(columns['split']?.[i]), String(columns['subset']?.[i]))
    const part = parts.get(key) ?? Object.fromEntries(names.map((name) => [name, []]))
    parts.set(key, part)
    for (const name of names) part[name]?.push(columns[name]?.[i])
  }
  // a column that another part of the task needs is null here
  return new Map(
    [...parts].map(([key, part]) => [key, Object.fromEntries(Object.entries(part).filter(([, values]) => values.some((value) => value !== null)))]),
  )
}

function partsOf(scores: Scores): Map<string, number> {
  return new Map(
    Object.entries(scores).flatMap(([split, subsets]) =>
      subsets.flatMap(({ hf_subset: subset, main_score: score }): [string, number][] => (score === null ? [] : [[partKey(split, subset), score]])),
    ),
  )
}

function partKey(split: string, subset: string): string {
  return `${split}\n${subset}`
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}
