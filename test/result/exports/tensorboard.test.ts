import { expect, test } from 'vitest'
import { eventFile } from '../../../src/result/exports/event-file.ts'
import { toExperiment, toSessionStart } from '../../../src/result/exports/hparams.ts'
import { tensorboard } from '../../../src/result/exports/tensorboard.ts'
import { context, finished } from './made-finished.ts'

const folder = 'sentence-transformers__all-MiniLM-L6-v2/8b3219a92973c328a8e22fadcfa821b5dc75636a'
const time = 1_760_000_000.5

test('hidden states are the steps of one run, in their order; another representation is a run of its own', () => {
  const results = [finished('h10'), finished('h3'), finished('default')]
  const [layers, whole, all, ...more] = tensorboard.files(results, context)
  expect(more).toEqual([])
  expect(layers?.path).toBe(`${folder}/layers/events.out.tfevents.0000000000.strata`)
  expect(whole?.path).toBe(`${folder}/default/events.out.tfevents.0000000000.strata`)
  const scalars = [3, 10].flatMap((step) =>
    ['STS17/main_score', 'STS17/test/en-en'].map((tag) => ({ tag, step, time, value: 0.70692 })),
  )
  const [model, revision] = folder.replace('__', '/').split(/\/(?=[^/]*$)/)
  const settings = { model: model ?? '', revision: revision ?? '', representation: 'layers' }
  expect(layers?.content).toEqual(eventFile(scalars, time, [toSessionStart(settings, time)]))
  const experiment = toExperiment([settings, { ...settings, representation: 'default' }], ['STS17/main_score'])
  expect(all).toEqual({
    path: 'events.out.tfevents.0000000000.strata',
    content: eventFile([], time, [experiment]),
  })
})

test('settings of a model keep its layers in another run', () => {
  const files = tensorboard.files([finished('h3'), finished('h3+cls')], context)
  expect(files.map(({ path }) => path.split('/').at(-2))).toEqual(['layers', 'layers+cls', undefined])
})
