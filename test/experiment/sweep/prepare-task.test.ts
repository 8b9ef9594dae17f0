import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openModel } from '#experiment/open'
import { runSweep, type SweepOptions, type SweepResult } from '#experiment/sweep'
import { type Model, statesOf } from '#model/checkpoint'
import { openStore } from '#platform/vectors'
import { chooseTasks } from '#task/registry'
import { scratchFolder } from '../../scratch.ts'
import { until } from '../../until.ts'
import { writeSmallModel } from '../encode/small-model.ts'

const { path, file } = scratchFolder()

/** A task of its own pairs, none of which another task has; a broken one cannot be read. */
function pairsOf(name: string, broken = false): { task: string; texts: string[] } {
  // The model knows `a` and `b`; any other word is one unknown.
  const pairs = Array.from({ length: 8 }, (_, i) => {
    const [first, second] = ['a '.repeat(i % 4) + 'b', 'b '.repeat(i % 3) + 'a '.repeat(i >> 1)]
    return [
      `${name}${i} ${first}`,
      `of ${name}${i} ${second}`.trim(),
      broken ? 'no number' : String((i * 37) % 11),
    ] as const
  })
  file(`${name}.csv`, ['first,second,rating', ...pairs.map((pair) => pair.join(','))].join('\n') + '\n')
  const task = file(
    `${name}.yaml`,
    `name: ${name}\ntype: STS\nlanguages: [eng-Latn]\ndata:\n  test: ${name}.csv\ncolumns: { sentence1: first, sentence2: second, score: rating }\n`,
  )
  return { task, texts: pairs.flatMap(([first, second]) => [first, second]) }
}

describe('while a result is looked at', () => {
  const [alpha, beta, gamma] = [pairsOf('Alpha'), pairsOf('Beta'), pairsOf('Gamma')]
  const broken = pairsOf('Broken', true)
  let model: Model
  let runs = 0
  beforeAll(async () => {
    model = await openModel(await writeSmallModel(path('model')), { store: openStore(path('vectors')) })
  })
  afterAll(() => model.close())

  const sweepOf = async (
    files: readonly string[],
    more: Partial<SweepOptions> = {},
  ): Promise<AsyncGenerator<SweepResult>> => {
    const { tasks, ownData } = await chooseTasks(files, {})
    const representations = [{ kind: 'state', h: 1 } as const, { kind: 'default' } as const]
    return runSweep(model, { tasks, ownData, representations, outputFolder: path(`results-${runs++}`), ...more })
  }
  const missing = async (texts: readonly string[], keep: 'all' | 'last' = 'all'): Promise<number> =>
    (await statesOf(model).vectors()).missing({ texts, prompt: null }, keep)

  test('the next task passes the model, the one after it does not', async () => {
    const sweep = await sweepOf([alpha.task, beta.task, gamma.task])
    expect(await missing([...alpha.texts, ...beta.texts, ...gamma.texts])).toBe(48)
    const first = await sweep.next()
    expect(first.value).toMatchObject({
      result: { task_name: 'Alpha', strata: { status: 'ok', representation: 'h1' } },
    })
    await until(async () => (await missing(beta.texts)) === 0)
    const second = await sweep.next()
    expect(second.value).toMatchObject({ result: { task_name: 'Alpha', strata: { representation: 'default' } } })
    expect(await missing(gamma.texts)).toBe(16)
    await sweep.return(undefined)
    expect(await missing(gamma.texts)).toBe(16)
  })

  test('results come in the order of the tasks, the first of a task with the time in which its texts passed the model', async () => {
    const heard: string[] = []
    const sweep = await sweepOf([gamma.task, alpha.task], {
      onProgress: ({ stage, done, total }) => heard.push(`${stage} ${done}/${total}`),
    })
    const seen: string[] = []
    for await (const { result } of sweep)
      seen.push(`${result.task_name} ${result.strata.representation} ${result.strata.status}`)
    expect(seen).toEqual(['Gamma h1 ok', 'Gamma default ok', 'Alpha h1 ok', 'Alpha default ok'])
    // Both sides of the pairs are one count; what is kept is not encoded again.
    expect(heard.filter((line) => !/^encode \d+\/16$/.test(line))).toEqual([])
    expect(heard.filter((line) => line === 'encode 16/16')).toHaveLength(1)
    expect(heard.at(-1)).toBe('encode 16/16')
  })

  test('a task that cannot be read is a failure at its turn', async () => {
    const seen: string[] = []
    for await (const { result } of await sweepOf([alpha.task, broken.task, beta.task], {
      representations: [{ kind: 'default' }],
    }))
      seen.push(`${result.task_name} ${result.strata.status}`)
    expect(seen).toEqual(['Alpha ok', 'Broken failed', 'Beta ok'])
  })

  test('default alone keeps the last state only', async () => {
    const delta = pairsOf('Delta')
    const sweep = await sweepOf([alpha.task, delta.task], { representations: [{ kind: 'default' }], keep: 'last' })
    await sweep.next()
    await until(async () => (await missing(delta.texts, 'last')) === 0)
    expect(await missing(delta.texts, 'all')).toBe(16)
    await sweep.return(undefined)
  })

  test('a cancelled run says so, whatever runs ahead', async () => {
    const stop = new AbortController()
    const sweep = await sweepOf([pairsOf('Epsilon').task, pairsOf('Zeta').task], { signal: stop.signal })
    await sweep.next()
    stop.abort()
    await expect(sweep.next()).rejects.toMatchObject({ code: 'run.cancelled' })
  })
})
