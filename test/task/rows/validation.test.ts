import { describe, expect, test } from 'vitest'
import { requestTask, loadRequested, type TaskInfo, validationOf, type Validation } from '#task/rows'
import { chooseTasks } from '#task/registry'
import { scratchFolder } from '../../scratch.ts'

const { file } = scratchFolder()

/** An own task with these splits, and what `--splits` asks of it. */
async function asked(
  type: 'STS' | 'Classification',
  splits: readonly string[],
  of: readonly string[] = ['test'],
): Promise<(Validation & { readonly counts: Readonly<Record<string, number>> }) | undefined> {
  const name = `${type}-${splits.join('-')}-${of.join('-')}`
  const columns = type === 'STS' ? 'sentence1: first, sentence2: second, score: rating' : 'text: first, label: second'
  for (const split of splits) {
    const lines = Array.from(
      { length: 20 },
      (_, i) => `${split} ${i},${type === 'STS' ? `other ${i}` : `l${i % 2}`},${i}`,
    )
    file(`${name}-${split}.csv`, `${['first,second,rating', ...lines].join('\n')}\n`)
  }
  const data = splits.map((split) => `  ${split}: ${name}-${split}.csv\n`).join('')
  const path = file(
    `${name}.yaml`,
    `name: ${name}\ntype: ${type}\nlanguages: [eng-Latn]\nsplits: [${of.join(', ')}]\ndata:\n${data}columns: { ${columns} }\n`,
  )
  const { tasks, ownData } = await chooseTasks([path], {})
  const [task] = tasks as [TaskInfo]
  const open = async (at: string) => {
    const found = ownData.get(at)
    if (found === undefined) throw new Error(at)
    return found()
  }
  return validationOf(requestTask(task), open).then(async (found) => {
    // what it says can be read
    if (found === undefined) return undefined
    const loaded = await loadRequested(found.asked, { openDataset: open })
    loaded.close()
    return { ...found, counts: loaded.counts }
  })
}

describe('rows to choose by', () => {
  test.each([
    ['STS', ['train', 'dev', 'validation', 'test'], ['test'], 'dev'],
    ['STS', ['train', 'validation', 'test'], ['test'], 'validation'],
    ['STS', ['train', 'val', 'test'], ['test'], 'val'],
    ['STS', ['train', 'test'], ['test'], 'train'],
    ['STS', ['test'], ['test'], undefined],
    // judged on its development split: that is no place to choose
    ['STS', ['train', 'dev', 'test'], ['dev'], 'train'],
    ['Classification', ['train', 'validation', 'test'], ['test'], 'validation'],
    ['Classification', ['train', 'test'], ['test'], '20 % of train'],
  ] as const)('of %s with %j, judged on %j: %s', async (type, splits, of, rule) => {
    expect((await asked(type, splits, of))?.rule).toBe(rule)
  })

  test('of a task in several languages are its English ones, where it has some', async () => {
    const of = async (languages: Readonly<Record<string, string>>): Promise<readonly string[] | undefined> => {
      const name = `several-${Object.keys(languages).join('-')}`
      file(`${name}.csv`, 'first,second,rating\na,b,1\nb,a,2\nc,a,3\n')
      const data = Object.keys(languages).map((subset) => `    ${subset}: { dev: ${name}.csv, test: ${name}.csv }\n`)
      const said = Object.entries(languages).map(([subset, codes]) => `${subset}: [${codes}]`)
      const path = file(
        `${name}.yaml`,
        `name: ${name}\ntype: STS\nlanguages: { ${said.join(', ')} }\nsplits: [test]\ndata:\n  subsets:\n${data.join('')}columns: { sentence1: first, sentence2: second, score: rating }\n`,
      )
      const { tasks, ownData } = await chooseTasks([path], {})
      const open = async (at: string) => {
        const found = ownData.get(at)
        if (found === undefined) throw new Error(at)
        return found()
      }
      return (await validationOf(requestTask(tasks[0] as TaskInfo), open))?.asked.subsets
    }
    expect(await of({ de: 'deu-Latn', en: 'eng-Latn', both: 'eng-Latn, deu-Latn' })).toEqual(['en'])
    expect(await of({ de: 'deu-Latn', both: 'eng-Latn, deu-Latn' })).toEqual(['de', 'both'])
  })

  test('there are none of a task that cannot be run, that averages others, or of which nothing is left', async () => {
    const nowhere = (): never => {
      throw new Error('opened')
    }
    const { tasks } = await chooseTasks(['STSBenchmark'], {})
    const [task] = tasks as [TaskInfo]
    expect(await validationOf(requestTask({ ...task, unsupported: 'code of its own' }), nowhere)).toBeUndefined()
    expect(await validationOf(requestTask(task, { subsets: ['none of its own'] }), nowhere)).toBeUndefined()
    expect(await validationOf(requestTask({ ...task, protocol: 'AbsTaskAggregate' }), nowhere)).toBeUndefined()
    await expect(validationOf(requestTask(task), nowhere)).rejects.toThrow('opened')
  })

  test('are one experiment, on rows of the training split alone', async () => {
    const found = await asked('Classification', ['train', 'test'])
    expect(found?.asked.task.params.n_experiments).toBe(1)
    expect(found?.asked.splits).toEqual(['test'])
    // a fifth of 20
    expect(found?.counts).toEqual({ train: 16, test: 4 })
    const { tasks } = await chooseTasks(['Banking77Classification'], {})
    expect(tasks[0]?.params.n_experiments).toBe(10)
  })
})
