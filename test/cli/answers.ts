/** What an invocation answers, without facts of the run: exit code, lines of JSON, files, refusals. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Ran } from './program.ts'

/** Facts of a run; parts scored at different times carry the version of each, as in mteb's files. */
const ofTheRun: ReadonlySet<string> = new Set([
  'date',
  'evaluation_time',
  'seconds',
  'notices',
  'kg_co2_emissions',
  'mteb_version',
  // reuse
  'reused',
  'trained',
  'answered_before',
  // measured anew each time
  'textsPerSecond',
  'texts_per_second',
  'total_evaluation_time_seconds',
  'start_time',
  'end_time',
  'date_id',
  'timestamp',
  // encoding and its workers
  'passed',
  'rate',
  'workers',
])

/** `folder`: its path is no part of an answer. Keys, lines and parts are in an order of their own. */
export function toAnswer({ code, stdout, stderr }: Ran, folder: string): string {
  const lines = stdout.trim().split('\n').filter(Boolean)
  const answers = lines.map(jsonOrText)
  return [`exit ${code}`, ...answers.sort(), code === 0 ? '' : stderr].join('\n').replaceAll(folder, '<folder>')
}

/** Files below a folder by their paths, JSON without facts of the run. */
export function filesIn(folder: string): Map<string, string> {
  if (!existsSync(folder)) return new Map()
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return new Map(
    names
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [withoutTime(name), contentOf(join(folder, name)).replaceAll(folder, '<folder>')]),
  )
}

/** Scores of finished results below a folder, by file, split and subset: two invocations may share a file. */
export function scoresIn(folder: string): Map<string, string> {
  const scores = new Map<string, string>()
  if (!existsSync(folder)) return scores
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.json') || /(?:^|\/)(?:partial|failed|outdated)\//.test(name)) continue
    const document = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { scores?: Record<string, unknown[]> }
    for (const [split, parts] of Object.entries(document.scores ?? {}))
      for (const part of parts) {
        const { hf_subset: subset = '' } = part as { hf_subset?: string }
        scores.set(`${name} ${split} ${subset}`, JSON.stringify(inOrder(part)))
      }
  }
  return scores
}

/** The harness stamps the names of its files. */
function withoutTime(name: string): string {
  return name.replaceAll(/_\d{4}-\d{2}-\d{2}T[\d.-]+(?=\.json)/g, '_TIME')
}

function contentOf(path: string): string {
  const bytes = readFileSync(path)
  if (path.endsWith('.json')) return jsonOrText(bytes.toString())
  if (path.endsWith('.jsonl')) return bytes.toString().split('\n').map(jsonOrText).join('\n')
  return /\.(?:csv|md|tex|txt|svg|html)$/.test(path)
    ? bytes.toString()
    : createHash('sha256').update(bytes).digest('hex')
}

function jsonOrText(text: string): string {
  try {
    return JSON.stringify(inOrder(JSON.parse(text)), undefined, 1)
  } catch {
    return text
  }
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    const parts = value.map(inOrder)
    return parts.every((part) => typeof part === 'object') ? parts.sort(byText) : parts
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !ofTheRun.has(key))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, inOrder(inner)]),
  )
}

function byText(one: unknown, other: unknown): number {
  return (JSON.stringify(one) ?? '') < (JSON.stringify(other) ?? '') ? -1 : 1
}
