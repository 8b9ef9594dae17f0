import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Result } from '#core'
import { openTensors, readFloat32 } from '#files/formats'
import type { Plan } from '#experiment/sweep'
import { writeSmallModel } from '../experiment/encode/small-model.ts'
import { counting } from '../model/checkpoint/made-repo.ts'
import { scratchFolder } from '../scratch.ts'
import { pairsTask } from './pairs-task.ts'
import { strata } from './program.ts'

const { path, file } = scratchFolder()
const examples = join(import.meta.dirname, '..', '..', 'examples', 'plugins')
let task = ''

/** A merge method of one model that bends its weights, by a number that nothing but its text holds. */
const bent = (by: number): string => `import { defineMergeMethod } from 'strata-lm/plugin'
export const bent = defineMergeMethod({
  name: 'bent', base: 'none', inputs: [1, 1], parameters: {}, streaming: 'elementwise',
  kernel: () => ({ grain: 1, passes: [], output({ inputs: [x], length, offset }, out) {
    for (let i = 0; i < length; i++) out[i] = x[i] + Math.sin(${by} * (offset + i))
  } }),
})
`

/** Without the NaN, which no merge would take. */
const writeModel = (name: string): Promise<string> =>
  writeSmallModel(path(name), { 'model.safetensors': { 'embeddings.word_embeddings.weight': counting(7, 4) } })

beforeAll(async () => {
  await writeModel('model')
  task = pairsTask(file, 'Pairs')
  file('bent.yml', `merge_method: bent\nmodels: [{ model: ${path('model')} }]\n`)
  for (const folder of ['one', 'elsewhere']) mkdirSync(path(folder))
})

async function documents<T>(words: readonly string[]): Promise<T[]> {
  const { code, stdout, stderr } = await strata([...words, '--json'])
  expect(stderr).not.toContain('error')
  expect(code).toBe(0)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
}

const asked = (plugin: string, kept: string): string[] => [
  'evaluate',
  `--merge=${path('bent.yml')}`,
  `--task-file=${task}`,
  `--plugin=${plugin}`,
  `--results=${path(`${kept}/results`)}`,
  `--cache-dir=${path(`${kept}/cache`)}`,
]
const scoreOf = ({ scores }: Result): number => Number(scores?.['test']?.[0]?.['main_score'])
const states = async (plugin: string, kept: string): Promise<string[]> =>
  (await documents<Plan>([...asked(plugin, kept), '--dry-run'])).flatMap(({ entries }) =>
    entries.map(({ state }) => state),
  )

describe('the content of a plug-in is part of every key', () => {
  test('edited it is another method, in another folder the same; on one cache', { timeout: 240_000 }, async () => {
    const mine = file('one/mine.ts', bent(0.2))
    const [first] = await documents<Result>(asked(mine, 'kept'))
    expect(await states(mine, 'kept')).toEqual(['reused'])

    cpSync(mine, path('elsewhere/other-name.ts'))
    expect(await states(path('elsewhere/other-name.ts'), 'kept')).toEqual(['reused'])

    file('one/mine.ts', bent(0.9))
    expect(await states(mine, 'kept')).toEqual(['run'])
    const [second] = await documents<Result>(asked(mine, 'kept'))
    const [fresh] = await documents<Result>(asked(mine, 'fresh'))
    if (first === undefined || second === undefined || fresh === undefined) throw new Error('three results')
    expect(scoreOf(second)).toBe(scoreOf(fresh))
    expect(scoreOf(second)).not.toBe(scoreOf(first))
  })

  test('a stored value of a metric is that of the content it was measured by', { timeout: 240_000 }, async () => {
    const metric = (by: number): string =>
      `import { defineMetric } from 'strata-lm/plugin'\nexport const mine = defineMetric({ name: 'mine', kind: 'pooled', rows: 'raw', of: ({ data }) => ${by} * data[0] })\n`
    const texts = file('texts.txt', 'a b\nb a\na a\n')
    const measured = async (plugin: string): Promise<unknown> => {
      const line = [
        'metrics',
        path('model'),
        '--texts',
        texts,
        '--metrics',
        'mine',
        '--cache-dir',
        path('metric-cache'),
      ]
      const [document] = await documents<{ layers: unknown }>([...line, '--plugin', plugin])
      return document?.layers
    }
    const mine = file('one/metric.ts', metric(1))
    const first = await measured(mine)
    const kept = readdirSync(path('metric-cache'), { recursive: true }).filter((name) => String(name).endsWith('.json'))
    expect(kept.length).toBeGreaterThan(0)
    cpSync(mine, path('elsewhere/metric.ts'))
    expect(await measured(path('elsewhere/metric.ts'))).toEqual(first)
    expect(
      readdirSync(path('metric-cache'), { recursive: true }).filter((name) => String(name).endsWith('.json')),
    ).toEqual(kept)
    file('one/metric.ts', metric(3))
    expect(await measured(mine)).not.toEqual(first)
  })

  test('a result of a task is that of the content it was scored by', { timeout: 240_000 }, async () => {
    const protocol = (by: number): string =>
      `import { defineTaskProtocol } from 'strata-lm/plugin'\nexport const mine = defineTaskProtocol({ name: 'mine', rows: 'AbsTaskSTS', mainScore: 'mine', score: ({ score }) => ({ metrics: { mine: ${by} / score.length } }) })\n`
    const scored = file('Scored.yaml', readFileSync(task, 'utf8').replace('name: Pairs', 'name: Scored\nscorer: mine'))
    const line = (plugin: string): string[] => [
      'evaluate',
      path('model'),
      `--task-file=${scored}`,
      `--plugin=${plugin}`,
      `--results=${path('scored/results')}`,
      `--cache-dir=${path('scored/cache')}`,
    ]
    const stateOf = async (plugin: string): Promise<string | undefined> =>
      (await documents<Plan>([...line(plugin), '--dry-run']))[0]?.entries[0]?.state
    const mine = file('one/protocol.ts', protocol(6))
    const [first] = await documents<Result>(line(mine))
    expect(first === undefined ? 0 : scoreOf(first)).toBe(6 / 24)
    cpSync(mine, path('elsewhere/protocol.ts'))
    expect(await stateOf(path('elsewhere/protocol.ts'))).toBe('reused')
    file('one/protocol.ts', protocol(12))
    expect(await stateOf(mine)).toBe('run')
    const [second] = await documents<Result>(line(mine))
    expect(second === undefined ? 0 : scoreOf(second)).toBe(12 / 24)
  })

  test('an unfinished folder of another content is not continued', { timeout: 240_000 }, async () => {
    const merge = (): string[] => ['merge', path('bent.yml'), path('merged'), '--plugin', path('one/mine.ts')]
    file('one/mine.ts', bent(0.2))
    expect((await strata(merge())).code).toBe(0)
    const manifest = (): { plugin?: { file: string; sha256: string }; identity: string } =>
      JSON.parse(readFileSync(path('merged/strata_merge.json'), 'utf8')) as ReturnType<typeof manifest>
    const before = manifest()
    expect(before.plugin).toMatchObject({ file: 'mine.ts' })
    file('one/mine.ts', bent(0.9))
    expect((await strata([...merge(), '--overwrite'])).code).toBe(0)
    expect(manifest().identity).not.toBe(before.identity)
    expect(manifest().plugin?.sha256).not.toBe(before.plugin?.sha256)
  })
})

describe('strata merge', () => {
  test('runs a plug-in on its threads, and says what it has loaded', { timeout: 120_000 }, async () => {
    for (const k of [1, 2, 3]) await writeModel(`model-${k}`)
    const models = [1, 2, 3].map((k) => `- model: ${path(`model-${k}`)}\n`).join('')
    const recipe = file('median.yml', `merge_method: coordinate_median\nmodels:\n${models}`)
    const plugin = join(examples, 'merge-method.ts')
    const merged = await strata(['merge', recipe, path('median'), '--plugin', plugin, '--threads', '2'])
    expect(merged.stderr).toContain(`${plugin}: merge method coordinate_median`)
    expect(merged.code).toBe(0)
    // the median of three equal models
    const name = 'encoder.layer.0.intermediate.dense.weight'
    const [of, got] = await Promise.all(
      ['model-1', 'median'].map(async (folder) => {
        const tensors = await openTensors(path(`${folder}/model.safetensors`))
        return readFloat32(tensors, name).finally(() => tensors.close())
      }),
    )
    expect(got).toEqual(of)
  })

  test('names the plug-in that failed', { timeout: 120_000 }, async () => {
    const plugin = file('fails.ts', bent(1).replace('for (let i', 'if (offset >= 0) throw new Error("no"); for (let i'))
    const { code, stderr } = await strata(['merge', path('bent.yml'), path('failed'), '--plugin', plugin])
    expect(stderr).toContain(`error plugin.failed  ${plugin} › bent › `)
    expect(code).toBe(1)
  })

  test('knows none without being told', { timeout: 120_000 }, async () => {
    const { code, stderr } = await strata(['merge', path('bent.yml'), path('none')], { alone: true })
    expect(stderr).toContain('no such merge method – bent')
    expect(code).toBe(2)
  })
})

describe('the other commands', () => {
  const from = (name: string): string[] => ['--plugin', join(examples, `${name}.ts`)]

  test('strata similarity and aggregate take definitions by their names', { timeout: 240_000 }, async () => {
    const texts = file('words.txt', 'a b\nb a\na a\nb b b\n')
    const line = ['similarity', path('model'), '--texts', texts, '--metrics', 'same_nearest,cka']
    const [found] = await documents<{ metrics: Record<string, { mean: number[][] }> }>([...line, ...from('similarity')])
    expect(found?.metrics['same_nearest']?.mean[0]?.[0]).toBe(1)
    const mixing = ['aggregate', path('model'), '--task-file', task, '--methods', 'soft_quality,best', '--json']
    const places = ['--results', path('mixed'), '--cache-dir', path('mixed-cache')]
    const mixed = await strata([...mixing, ...places, ...from('aggregation')])
    expect(mixed.stdout).toContain('soft_quality')
    expect(mixed.code).toBe(0)
  })

  test('an experiment names its plug-ins, and its workers load them', { timeout: 240_000 }, async () => {
    file('one/mine.ts', bent(0.4))
    const experiment = file(
      'experiment.yaml',
      `merges: bent.yml\nplugins: one/mine.ts\ntask_files: Pairs.yaml\nresults: ${path('run-results')}\n`,
    )
    const run = (...more: string[]): ReturnType<typeof strata> =>
      strata(['run', experiment, '--out', path('run'), '--cache-dir', path('run-cache'), ...more])
    const done = await run('--workers', '2')
    expect(done.stderr).not.toContain('error')
    expect(done.code).toBe(0)
    expect((await run('--status', '--json')).stdout).toContain('{"jobs":1,"done":1')
    // another content is another job
    file('one/mine.ts', bent(0.5))
    expect((await run('--status', '--json')).stdout).not.toContain('{"jobs":1,"done":1')
  })
})

test('strata plugin check says each law, and fails where one is broken', { timeout: 120_000 }, async () => {
  const good = await strata(['plugin', 'check', join(examples, 'merge-method.ts')])
  expect(good.stdout).toContain('  held    gives the same bits in blocks of any size')
  expect(good.code).toBe(0)
  const bad = await strata(['plugin', 'check', join(examples, 'with-a-defect.ts')])
  expect(bad.stdout).toContain(
    '  broken  changes none of its inputs\n          2 inputs of 1 × 1: it wrote to element 0',
  )
  expect(bad.code).toBe(1)
})
