/**
 * Every bench of speed, and how each stands to its record: one table, the worst first.
 *
 *   node bench/run.mjs all [--against LAST|COMMIT] [--only encode,static] [--record yes]
 *
 * LAST: of every bench the last committed record that was measured on a processor of this name, or the last at all,
 * which is then marked: seconds of two processors do not compare. COMMIT: the records of that commit.
 * A bench whose other programs or data are missing runs by itself where it can, and is skipped and counted otherwise.
 * Records of the repository stay as they are; `--record yes` replaces those of benches that ran in full.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { type Bench, type Need, turnsOf } from './lib/all-benches.ts'
import { flag } from './lib/flags.ts'
import { python, records, root, scratch, scratchFolder, shared } from './lib/places.ts'
import { lineOf, linesOf, type Outcome } from './lib/record-lines.ts'
import { compareRecords, processorOf } from './lib/records.ts'
import { table } from './lib/report.ts'

const needs: Readonly<Record<Need, boolean>> = {
  python: existsSync(python),
  model2vec: existsSync(join(scratch, 'model2vec-0.10', 'bin', 'python')),
  mergekit: existsSync(join(scratch, 'mergekit-0.1.5', 'bin', 'python')),
  infinity: existsSync(join(scratch, 'infinity', 'bin', 'infinity_emb')),
  shared: shared !== undefined,
}
const against = flag('against', 'LAST')
const mustRecord = flag('record', 'no') === 'yes'
const processor = cpus()[0]?.model
const measured = scratchFolder('all')
if (against !== 'LAST' && git('rev-parse', '--verify', '--quiet', `${against}^{commit}`) === undefined)
  throw new Error(`--against ${against}: no commit of this name; LAST, or a commit that git knows`)

const outcomes: Outcome[] = []
const only = flag('only', '').split(',').filter(Boolean)
for (const turn of turnsOf(only, { isThere: (need) => needs[need] })) {
  if (turn.kind === 'skip') outcomes.push({ name: turn.bench.name, kind: 'skipped', missing: turn.missing })
  else outcomes.push(...measure(turn.bench, turn.flags))
  console.log(lineOf(outcomes.at(-1)))
}
console.log(`\n${table(linesOf(outcomes, { against }))}`)
for (const kind of ['skipped', 'failed'] as const) {
  const names = outcomes.flatMap((outcome) => (outcome.kind === kind ? [outcome.name] : []))
  if (names.length > 0) console.log(`${kind}: ${names.length} (${names.join(', ')})`)
}
process.exitCode = outcomes.some(({ kind }) => kind === 'failed') ? 1 : 0

function measure({ name, records: written = [name] }: Bench, flags: readonly string[]): Outcome[] {
  for (const record of written) rmSync(join(measured, `${record}.json`), { force: true })
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.js`), ...flags], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, STRATA_BENCH_RESULTS: measured },
  })
  const present = written.filter((record) => existsSync(join(measured, `${record}.json`)))
  if (status !== 0 || present.length === 0) return [{ name, kind: 'failed' }]
  return present.map((record) => {
    const path = join(measured, `${record}.json`)
    const now: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const before = recordBefore(record)
    if (mustRecord && flags.length === 0) copyFileSync(path, join(records, `${record}.json`))
    if (before === undefined) return { name: record, kind: 'new' }
    const isOtherProcessor = processorOf(before.record) !== processorOf(now)
    return {
      name: record,
      kind: 'compared',
      of: before.commit,
      isOtherProcessor,
      ...compareRecords(before.record, now),
    }
  })
}

/** The record of a bench to compare with; undefined where there is none. */
function recordBefore(name: string): { readonly commit: string; readonly record: unknown } | undefined {
  const path = `bench/results/${name}.json`
  const commits =
    against === 'LAST' ? (git('log', '--format=%h', '--', path)?.split('\n').filter(Boolean) ?? []) : [against]
  const all = commits.flatMap((commit) => {
    const text = git('show', `${commit}:${path}`)
    return text === undefined ? [] : [{ commit, record: JSON.parse(text) as unknown }]
  })
  return all.find(({ record }) => processorOf(record) === processor) ?? all[0]
}

function git(...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  return status === 0 ? stdout.trim() : undefined
}
