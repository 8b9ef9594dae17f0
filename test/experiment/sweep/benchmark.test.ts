import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { evaluate, planSweep } from '#experiment/sweep'
import { planLines } from '../../../src/cli/sweep/plan-lines.ts'
import { openModel } from '#experiment/open'
import type { Model } from '#model/checkpoint'
import { openStore } from '#platform/vectors'
import { findTasks } from '#task/registry'
import { carriedModel, useCarriedHub } from '../../carried.ts'

describe('a benchmark on the carried model', () => {
  let folder: string
  let model: Model
  let restore: () => void
  beforeAll(async () => {
    restore = useCarriedHub()
    folder = await mkdtemp(join(tmpdir(), 'strata-benchmark-'))
    model = await openModel(carriedModel, { store: openStore(join(folder, 'vectors')) })
  })
  afterAll(async () => {
    await model.close()
    restore()
    await rm(folder, { recursive: true, force: true })
  })

  test('asks a task for its own subsets only', async () => {
    const [result] = await evaluate(model, {
      tasks: ['STS17'],
      benchmarks: ['MTEB(eng, v2)'],
      outputFolder: join(folder, 'results'),
    })
    expect(result?.strata.status).toBe('ok')
    expect(result?.scores?.['test']?.map(({ hf_subset: subset }) => subset)).toEqual(['en-en'])
    expect(result?.strata.means?.english).toBe(result?.strata.means?.all)
    expect(result?.strata.notices).toBeUndefined()
  })

  test('and the same result serves a question about that subset', async () => {
    const ask = () => evaluate(model, { tasks: ['STS17'], subsets: ['en-en'], outputFolder: join(folder, 'results') })
    const [first] = await ask()
    const [second] = await evaluate(model, {
      tasks: ['STS17'],
      benchmarks: ['MTEB(eng, v1)'],
      outputFolder: join(folder, 'results'),
    })
    expect(second?.date).toBe(first?.date)
  })

  test('with subsets that it does not ask for is a failure that says so', async () => {
    const [result] = await evaluate(model, {
      tasks: ['STS17'],
      benchmarks: ['MTEB(eng, v2)'],
      subsets: ['es-es'],
      outputFolder: join(folder, 'other'),
    })
    expect(result?.strata).toMatchObject({
      status: 'failed',
      code: 'task.empty',
      reason: expect.stringContaining('the benchmark asks for') as string,
    })
  })

  test('is planned with sizes from rows that are here, from the reference’s counts where they are not, and what is skipped', async () => {
    const { tasks, selections, benchmarks } = await findTasks(['STS17', 'ArguAna'], { benchmarks: ['MTEB(eng, v2)'] })
    const [skipped] = tasks
    if (skipped === undefined) throw new Error('no task')
    const plan = await planSweep(model, {
      tasks,
      selections,
      benchmarks,
      skipped: [{ task: { ...skipped, name: 'Elsewhere' }, reason: 'its data set is a script' }],
      representations: [{ kind: 'default' }],
      outputFolder: join(folder, 'plan'),
    })
    expect(plan.costs.map(({ task, from }) => [task, from])).toEqual([
      ['STS17', 'rows'],
      ['ArguAna', 'registry'],
    ])
    // 250 pairs, a few sentences twice; the reference counts each column by itself
    expect(plan.costs[0]?.texts).toBeGreaterThan(450)
    expect(plan.costs[1]).toMatchObject({ texts: 9924, missing: 9924 })
    expect(plan.prompts.map(({ task, side, prompt }) => [task, side, prompt])).toEqual([
      ['STS17', null, null],
      ['ArguAna', 'query', null],
      ['ArguAna', 'document', null],
    ])
    expect(planLines(plan)).toContain('skipped     Elsewhere: its data set is a script')
  })
})
