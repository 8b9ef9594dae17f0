import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { writeSmallModel } from '../experiment/encode/small-model.ts'
import { type FileSpec, type Hub, startHub } from '../files/hub/server.ts'
import { counting } from '../model/checkpoint/made-repo.ts'
import { scratchFolder } from '../scratch.ts'
import { type Ran, type RunOptions, strata } from './program.ts'

const { path, file } = scratchFolder()
const steps = ['step1', 'step2', 'step3', 'step4']
const commitOf = (step: string): string => step.slice(-1).repeat(40)

const commits: Record<string, Record<string, FileSpec>> = {}
let task = ''
beforeAll(async () => {
  for (const [k, step] of steps.entries()) {
    const words = counting(7, 4)
    const values = Float32Array.from(words.values, (value, i) => value + 0.3 * k * Math.sin(3 * i + k))
    await writeSmallModel(path(step), {
      'model.safetensors': { 'embeddings.word_embeddings.weight': { ...words, values } },
    })
    commits[commitOf(step)] = Object.fromEntries(
      readdirSync(path(step)).map((name) => {
        const bytes = readFileSync(path(`${step}/${name}`))
        return [name, name.endsWith('.safetensors') ? { lfs: bytes } : bytes]
      }),
    )
  }
  const text = (i: number): string => `${'a '.repeat(i % 5)}${'b '.repeat((i * 3) % 4)}${i % 2 === 0 ? 'a' : 'b'}`
  file(
    'one.csv',
    [
      'first,second,rating',
      ...Array.from({ length: 24 }, (_, i) => `${text(i)},${text(7 * i + 1)},${(i * 5) % 11}`),
      '',
    ].join('\n'),
  )
  task = file(
    'one.yaml',
    'name: One\ntype: STS\nlanguages: [eng-Latn]\nsplits: [test]\ndata:\n  test: one.csv\ncolumns: { sentence1: first, sentence2: second, score: rating }\n',
  )
})

interface Scene {
  readonly hub: Hub
  /** Files of the cache, `blobs/…` and the like. */
  readonly inCache: (folder: string) => string[]
  readonly search: (flags: readonly string[], options?: RunOptions) => Promise<Ran>
  readonly pulls: () => { arm: string; failed?: string; scores: object }[]
  /** Steps whose weights were asked for, in order. */
  readonly fetched: () => string[]
}

async function scene(
  name: string,
  { revisions = steps, cache = path(`${name}/cache`), out = path(`${name}/out`) } = {},
): Promise<Scene> {
  const hub = await startHub([
    {
      name: 'org/run',
      commits,
      refs: Object.fromEntries(['main', ...steps].map((ref) => [ref, commitOf(ref === 'main' ? 'step4' : ref)])),
    },
  ])
  onTestFinished(() => hub.close())
  const folder = `${cache}/models--org--run`
  return {
    hub,
    inCache: (part) => (existsSync(`${folder}/${part}`) ? readdirSync(`${folder}/${part}`).sort() : []),
    search: (flags, { env = {}, ...options } = {}) =>
      strata(
        [
          'search',
          'org/run',
          '--revisions',
          revisions.join(','),
          '--task-file',
          task,
          '--results',
          out,
          '--cache-dir',
          path(`${name}/vectors`),
          '--quiet',
          '--reward',
          'raw',
          '--policy',
          'sweep',
          ...flags,
        ],
        { env: { HF_ENDPOINT: hub.endpoint, HF_HUB_CACHE: cache, HF_TOKEN: '', ...env }, ...options },
      ),
    pulls: () =>
      readFileSync(`${out}/trajectory.jsonl`, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { arm: string; failed?: string; scores: object }),
    fetched: () =>
      hub.requests
        .filter(({ method, host, path }) => method === 'GET' && host === 'hub' && path.endsWith('model.safetensors'))
        .map(({ path }) => `step${/resolve\/(\d)/.exec(path)?.[1]}`),
  }
}

const without = (pulls: readonly object[]): string =>
  JSON.stringify(pulls, (key, value: unknown) => (['seconds', 'reused'].includes(key) ? undefined : value))

describe('checkpoints of the hub', () => {
  test('are fetched when they are pulled, the next one meanwhile, and those that are not pulled never', async () => {
    const { search, fetched, hub, inCache } = await scene('meanwhile')
    const { code } = await search(['--baseline', 'step1', '--budget', '4'])
    expect(code).toBe(0)
    // a pull of step3 is not within the budget
    expect([fetched(), inCache('snapshots')]).toEqual([
      ['step1', 'step2'],
      [commitOf('step1'), commitOf('step2')],
    ])
    const of = (step: string, name: string): number =>
      hub.requests.findIndex(({ path }) => path.includes(`${commitOf(step)}/${name}`))
    expect(of('step2', 'model.safetensors')).toBeGreaterThan(of('step1', 'model.safetensors'))
  })

  test('stay as many as were asked for: those used last; what lay there before stays too, and what others share', async () => {
    const { search, pulls, fetched, inCache } = await scene('kept', { revisions: ['step1', 'step2', 'step3'] })
    const before = await scene('kept', { revisions: ['step4'], out: path('kept/other') })
    expect((await before.search(['--budget', '1'])).code).toBe(0)
    expect((await search(['--baseline', 'step1', '--budget', '6', '--keep-checkpoints', '2'])).code).toBe(0)
    expect(pulls().map(({ failed }) => failed)).toEqual(Array.from({ length: 6 }, () => undefined))
    expect(fetched()).toEqual(['step1', 'step2', 'step3'])
    expect([inCache('snapshots'), inCache('refs')]).toEqual([
      ['step2', 'step3', 'step4'].map(commitOf),
      ['step2', 'step3', 'step4'],
    ])
    // three weights, and config and tokenizer, which all revisions have alike
    const weights = inCache('blobs').filter((name) => name.length === 64)
    expect([weights.length, inCache('blobs').length - weights.length]).toEqual([3, 3])
  })

  test('one at most: nothing is fetched ahead', async () => {
    const { search, inCache, pulls } = await scene('single')
    expect((await search(['--baseline', 'step1', '--budget', '8', '--keep-checkpoints', '1'])).code).toBe(0)
    expect([
      pulls().length,
      inCache('snapshots'),
      inCache('blobs').filter((name) => name.length === 64).length,
    ]).toEqual([8, [commitOf('step4')], 1])
  })

  test('that cannot be downloaded are failed arms, and the search goes on', async () => {
    const { search, hub, pulls } = await scene('refused')
    hub.fail({
      on: ({ path }) => path.includes(`${commitOf('step2')}/model.safetensors`),
      how: { kind: 'status', status: 403 },
    })
    const { code } = await search(['--baseline', 'step1', '--budget', '8', '--keep-checkpoints', '2'])
    expect([code, pulls().flatMap(({ arm, failed }) => (failed === undefined ? [] : [arm]))]).toEqual([
      1,
      ['step2 h0', 'step2 h1'],
    ])
    expect(pulls()[2]?.failed).toMatch(/org\/run@2222/)
  })

  test('unknown revisions are failed arms that say so', async () => {
    const { search, pulls } = await scene('unknown', { revisions: ['step1', 'step9'] })
    const { code } = await search(['--baseline', 'step1', '--budget', '4'])
    expect([code, pulls().map(({ arm }) => arm)]).toEqual([1, ['step1 h0', 'step1 h1', 'step9 h0', 'step9 h1']])
    expect(pulls()[2]?.failed).toMatch(/step9/)
  })

  test('killed while one is on its way: the same trajectory, and the bound holds', async () => {
    const flags = ['--baseline', 'step1', '--budget', '8', '--keep-checkpoints', '2']
    const whole = await scene('undisturbed')
    expect((await whole.search(flags)).code).toBe(0)
    const { search, hub, pulls, inCache } = await scene('killed')
    const weights = ({ path, host }: { path: string; host: string }): boolean =>
      host === 'hub' && path.includes(`${commitOf('step3')}/model.safetensors`)
    hub.fail({ on: weights, times: 1, how: { kind: 'silence', until: new Promise(() => undefined) } })
    const { signal } = await search(flags, { killWhen: () => hub.requests.some(weights) })
    expect(signal).toBe('SIGKILL')
    expect((await search(flags)).code).toBe(0)
    expect(without(pulls())).toBe(without(whole.pulls()))
    expect(inCache('snapshots')).toEqual(['step3', 'step4'].map(commitOf))
  })
})

const shell = (command: string): number | null => spawnSync('sh', ['-c', command]).status

/** Whether this user may mount: a disk of a known size is a real one then. */
const mountable = process.platform === 'linux' && process.getuid?.() === 0 && shell('unshare -m true') === 0

describe.skipIf(!mountable)('a disk that is full', () => {
  test('is said, nothing is lost, and the same command goes on when there is room', async () => {
    const disk = path('disk')
    mkdirSync(disk)
    expect(shell(`mount -t tmpfs -o size=256k strata-test '${disk}'`)).toBe(0)
    onTestFinished(() => void shell(`umount -l '${disk}'`))
    const { search, pulls } = await scene('full', { out: `${disk}/out` })
    expect((await search(['--baseline', 'step1', '--budget', '2'])).code).toBe(0)
    const first = pulls()
    shell(`cat /dev/zero > '${disk}/filler'`)
    const { code, stderr } = await search(['--baseline', 'step1', '--budget', '8'])
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/file\.write[^]*the disk is full/)
    expect(pulls().slice(0, 2)).toEqual(first)
    rmSync(`${disk}/filler`)
    expect((await search(['--baseline', 'step1', '--budget', '8'])).code).toBe(0)
    const whole = await scene('roomy')
    await whole.search(['--baseline', 'step1', '--budget', '8'])
    expect(without(pulls())).toBe(without(whole.pulls()))
  })
})
