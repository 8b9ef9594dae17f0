import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Result } from '#core'
import type { Plan } from '#experiment/sweep'
import { carriedHub, carriedModel } from '../carried.ts'
import { makeModel } from '../model/merge/models.ts'
import { strata } from './program.ts'

let work: string
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'strata-merge-flag-'))
  const scaled = (weight: number): string =>
    `merge_method: linear\nparameters: {normalize: false, weight: ${weight}}\nmodels: [{model: ${carriedModel}}]\n`
  await writeFile(join(work, 'half.yml'), scaled(0.5))
  await writeFile(join(work, 'twice.yml'), scaled(2))
  return () => rm(work, { recursive: true, force: true })
})

async function documents<T>(command: string, ...args: string[]): Promise<T[]> {
  const places = ['--results', join(work, 'results'), '--cache-dir', join(work, 'cache')]
  const { code, stdout, stderr } = await strata(
    [command, ...args, '--tasks', 'STS17', '--subsets', 'en-en', '--json', ...places],
    {
      cwd: work,
      env: carriedHub,
    },
  )
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
}

const scoreOf = ({ scores }: Result): number => Number(scores?.['test']?.[0]?.['main_score'])

describe('--merge', () => {
  test('is a model beside the models named; the reference merge:recipe is the same one', async () => {
    const [plain, half] = await documents<Result>('evaluate', carriedModel, '--merge', 'half.yml')
    if (plain === undefined || half === undefined) throw new Error('two results were asked for')
    expect(plain.strata.model).toBe(carriedModel)
    expect(half.strata.model).toBe('merge__half')
    expect(scoreOf(half)).not.toBe(scoreOf(plain))
    const [plan] = await documents<Plan>('evaluate', 'merge:half.yml', '--dry-run')
    expect(plan?.entries).toMatchObject([{ task: 'STS17', representation: 'default', state: 'reused' }])
    expect(await documents<Result>('evaluate', 'merge:half.yml')).toEqual([half])
  })

  test('may be repeated, for layers too', async () => {
    const plans = await documents<Plan>(
      'layers',
      '--merge',
      'half.yml',
      '--merge',
      join(work, 'twice.yml'),
      '--layers',
      '0,-1',
      '--dry-run',
    )
    expect(plans.map(({ model }) => model)).toEqual(['merge__half', 'merge__twice'])
    expect(plans.map(({ entries }) => entries.map(({ representation }) => representation))).toEqual([
      ['h0', 'h6'],
      ['h0', 'h6'],
    ])
  })

  test.each([['evaluate'], ['layers']])('%s: a recipe that is not there, and no model at all', async (command) => {
    expect(
      await strata([command, '--merge', join(work, 'nowhere.yml'), '--tasks', 'STS17'], { env: carriedHub }),
    ).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error file\.missing .*nowhere\.yml/) as string,
    })
    expect(await strata([command, '--tasks', 'STS17'], { env: carriedHub })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--merge') as string,
    })
  })
})

describe('strata merge with several recipes', () => {
  test('gives each a folder by its name; a plan needs none', async () => {
    for (const [k, name] of ['one', 'two'].entries()) await makeModel(join(work, name), { seed: k + 1 })
    const models = `models: [{model: ${join(work, 'one')}}, {model: ${join(work, 'two')}}]\n`
    await writeFile(join(work, 'a.yml'), `merge_method: linear\nparameters: {weight: 1}\n${models}`)
    await writeFile(
      join(work, 'b.yml'),
      `merge_method: slerp\nbase_model: ${join(work, 'one')}\nparameters: {t: 0.5}\n${models}`,
    )
    const plan = await strata(['merge', 'a.yml', 'b.yml', '--dry-run', '--json'], { cwd: work })
    expect(
      plan.stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { method: string }).method),
    ).toEqual(['linear', 'slerp'])
    expect(await strata(['merge', 'a.yml', 'b.yml', 'out', '--quiet'], { cwd: work })).toMatchObject({
      code: 0,
      stderr: '',
    })
    expect((await readdir(join(work, 'out'))).sort()).toEqual(['a', 'b'])
    for (const name of ['a', 'b'])
      expect(await readdir(join(work, 'out', name))).toEqual(
        expect.arrayContaining(['config.json', 'model.safetensors']),
      )
    expect(await strata(['merge', 'a.yml'], { cwd: work })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no output folder is given') as string,
    })
    expect(await strata(['merge', 'a.yml', join(work, 'a.yml'), 'again'], { cwd: work })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('share a folder') as string,
    })
  })
})
