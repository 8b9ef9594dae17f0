/** Folders of a run, a search and of the harness, as far as a test wants them. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A plan of `count` jobs that nobody has begun. */
export function makeRun(folder: string, count: number): void {
  for (const name of ['jobs', 'events', 'results']) mkdirSync(join(folder, name), { recursive: true })
  const jobs = Array.from({ length: count }, (_, at) => ({
    id: `job${at}`,
    group: 'org/model',
    seconds: 60,
    kind: 'scores',
    reference: 'org/model',
    pooling: 'mean',
    tasks: [`Task${at}`],
    representations: ['all'],
  }))
  writeFileSync(join(folder, 'plan.json'), JSON.stringify({ name: 'run', results: 'results', jobs }))
}

/** One job after another, ten seconds each; `what`: why it failed. */
export function endJob(folder: string, at: number, what?: string): void {
  const [state, end] = [what === undefined ? 'done' : 'failed', 10_000 * (at + 1)]
  const event = (one: object): void =>
    appendFileSync(join(folder, 'events', 'w1.jsonl'), `${JSON.stringify({ worker: 'w1', job: `job${at}`, ...one })}\n`)
  event({ event: 'claimed', at: end - 10_000 })
  const finished = { id: `job${at}`, state, worker: 'w1', seconds: 10, at: end, what }
  writeFileSync(join(folder, 'jobs', `job${at}.json`), JSON.stringify(finished))
  event({ event: state, at: end })
}

export function makeSearch(folder: string, scores: readonly (number | undefined)[]): void {
  mkdirSync(folder, { recursive: true })
  const best = { arm: 'main h2', reward: 0.5 }
  writeFileSync(join(folder, 'search.json'), JSON.stringify({ settings: { policy: 'ucb' }, best }))
  const pulls = scores.map((score, at) => ({
    seq: at + 1,
    arm: `main h${at}`,
    checkpoint: 'main',
    layer: `h${at}`,
    by: 'policy',
    tasks: ['STS12'],
    scores: score === undefined ? {} : { STS12: score },
    ...(score === undefined ? { failed: 'the revision is gone' } : {}),
    seconds: 3,
    reused: 0,
  }))
  writeFileSync(join(folder, 'trajectory.jsonl'), pulls.map((pull) => `${JSON.stringify(pull)}\n`).join(''))
}

export function makeHarness(folder: string): void {
  mkdirSync(join(folder, 'org__speaker'), { recursive: true })
  writeFileSync(
    join(folder, 'org__speaker', 'results_2026-01-01T00-00-00.json'),
    JSON.stringify({ model_name: 'org/speaker', results: { toy: { 'acc,none': 0.25 } }, date: 1 }),
  )
}
