/** What stands between the rows of a data set and those of a task: renames, samples, label codes – as the registry lists them. */
import { compareCodePoints, fault, trainTestSplit } from '../core/index.ts'
import type { Rows } from './dataset.ts'
import type { TaskStep } from './task.ts'

/** Raw columns that must be read so that the steps can end in `wanted`. */
export function rawColumns(wanted: readonly string[], steps: readonly TaskStep[]): string[] {
  const needed = new Set(wanted)
  for (const step of steps.toReversed()) {
    if ('rename' in step) {
      for (const [from, to] of Object.entries(step.rename)) if (needed.delete(to)) needed.add(from)
    }
    if ('subsample' in step) needed.add(step.subsample.label ?? 'label')
    if ('encode' in step) needed.add(step.encode)
  }
  return [...needed]
}

/** The split to read for the split that is asked for. */
export function rawSplit(split: string, steps: readonly TaskStep[]): string {
  return steps.reduce((name, step) => ('split' in step ? (step.split[name] ?? name) : name), split)
}

/** Runs the steps over the splits of one subset. */
export function applySteps(splits: ReadonlyMap<string, Rows>, steps: readonly TaskStep[]): Map<string, Rows> {
  let current = new Map(splits)
  for (const step of steps) current = new Map([...current].map(([split, rows]) => [split, applyStep(split, rows, step, current)]))
  return current
}

function applyStep(split: string, rows: Rows, step: TaskStep, all: ReadonlyMap<string, Rows>): Rows {
  if ('rename' in step) return renamed(rows, step.rename)
  if ('subsample' in step) return sampled(split, rows, step.subsample, all)
  if ('encode' in step) return mapped(rows, step.encode, ranksOf([rows], step.encode))
  if ('relabel' in step) {
    const codes = new Map(Object.entries(step.relabel))
    return mapped(rows, 'label', codes)
  }
  if ('number' in step) return { ...rows, columns: { ...rows.columns, [step.number]: column(rows, step.number).map(Number) } }
  return rows
}

function renamed(rows: Rows, names: Readonly<Record<string, string>>): Rows {
  const columns = Object.fromEntries(Object.entries(rows.columns).map(([name, values]) => [Object.hasOwn(names, name) ? (names[name] ?? name) : name, values]))
  return { ...rows, columns, classLabels: new Set([...rows.classLabels].map((name) => names[name] ?? name)) }
}

/** mteb's `stratified_subsampling`: labels that are not declared as classes become ranks of their texts over all splits first. */
function sampled(
  split: string,
  rows: Rows,
  { splits, rows: size, label = 'label' }: { splits: readonly string[]; rows: number; label?: string },
  all: ReadonlyMap<string, Rows>,
): Rows {
  const coded = rows.classLabels.has(label) ? rows : mapped(rows, label, ranksOf([...all.values()], label))
  if (!splits.includes(split) || size >= rows.rows) return coded
  const { test } = trainTestSplit(rows.rows, { testSize: size, seed: 42, stratifyBy: column(coded, label) as number[] })
  const picked = Array.from(test)
  return {
    ...coded,
    rows: picked.length,
    columns: Object.fromEntries(Object.entries(coded.columns).map(([name, values]) => [name, picked.map((i) => values[i])])),
  }
}

function ranksOf(splits: readonly Rows[], name: string): Map<string, number> {
  const texts = new Set(splits.flatMap((rows) => column(rows, name).flatMap((value) => (value === null ? [] : [textOf(value)]))))
  return new Map([...texts].sort(compareCodePoints).map((text, rank) => [text, rank]))
}

/** A label as Python's `str` shows it. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : JSON.stringify(value)
}

function mapped(rows: Rows, name: string, codes: ReadonlyMap<string, number>): Rows {
  const values = column(rows, name).map((value, i) => {
    const code = codes.get(textOf(value))
    if (code === undefined)
      throw fault('task.label', { place: `${rows.place} › row ${i + 1}`, what: `unknown ${name}`, seen: value, wanted: [...codes.keys()].slice(0, 20) })
    return code
  })
  return { ...rows, columns: { ...rows.columns, [name]: values } }
}

function column({ columns, place }: Rows, name: string): unknown[] {
  const values = columns[name]
  if (values === undefined) throw fault('task.column', { place, what: `no column ${name}`, seen: Object.keys(columns) })
  return values
}
