import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { harnessFiles, importResults, settingsHash } from '#result/ledger'
import { readHarnessFolder } from '#result/correlation'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()
const name = 'results_2026-01-02T03-04-05.678901.json'

/** A folder of results, model → what stands in its file. */
function write(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [model, text] of Object.entries(files)) {
    mkdirSync(join(path(folder), model), { recursive: true })
    writeFileSync(join(path(folder), model, name), text)
  }
  return path(folder)
}

const odd =
  '{"results": {"ga": {"alias": "ga", "acc,none": 0.25, "acc_stderr,none": NaN, "mcc,none": NaN, "ppl,none": Infinity, "low,none": -Infinity}, "gn": {"acc,none": NaN}}, "model_name": "org/a"}'
const plain = '{"results": {"ga": {"alias": "ga", "acc,none": 0.5}}, "model_name": "org/b"}'

test('NaN and Infinity, as Python writes them, are no scores; the others of their file are read', async () => {
  const folder = write('odd', { org__a: odd, org__b: plain })
  const { scores, passedOver } = await harnessFiles(folder)
  expect(scores.map(({ model, score, values }) => [model, score, values])).toEqual([
    ['org/a', 0.25, { 'acc,none': 0.25 }],
    ['org/b', 0.5, { 'acc,none': 0.5 }],
  ])
  expect(passedOver.map(({ task, reason }) => [task, reason])).toEqual([['gn', 'no known score']])
  const imported = await importResults(path('ledger'), folder)
  expect(imported.map(({ model, task, state }) => [model, task, state])).toEqual([
    ['org/a', 'ga', 'imported'],
    ['org/b', 'ga', 'imported'],
    ['org/a', 'gn', 'failed'],
  ])
  const stored = readdirSync(path('ledger'), { recursive: true, encoding: 'utf8' }).find((own) =>
    /org__a.*ga\.json$/.test(own),
  )
  expect(readFileSync(join(path('ledger'), stored ?? ''), 'utf8')).not.toMatch(/NaN|null,\s+"mcc|Infinity/)
  expect((await readHarnessFolder(folder)).rows).toEqual([{ name: 'ga', group: 'ga', values: [0.25, 0.5] }])
})

test('a file that cannot be read is named, and the others of its folder are taken', async () => {
  const folder = write('half', { org__cut: plain.slice(0, 40), org__list: '[]', org__b: plain })
  const { scores, passedOver } = await harnessFiles(folder)
  expect(scores.map(({ model }) => model)).toEqual(['org/b'])
  expect(passedOver.map(({ model, file }) => [model, file])).toEqual([
    ['org/cut', join('org__cut', name)],
    ['org/list', join('org__list', name)],
  ])
  expect((await importResults(path('some'), folder)).map(({ state }) => state)).toEqual([
    'imported',
    'failed',
    'failed',
  ])
  expect((await readHarnessFolder(folder)).notices.join()).toMatch(/org__cut.*string never ends|org__cut.*:1:/)
  await expect(readHarnessFolder(write('none', { org__cut: '{' }))).rejects.toThrow(/org__cut/)
})

test('results under other settings are imported next to each other, each under the hash of its settings', async () => {
  const run = (score: number, more: object) =>
    JSON.stringify({ results: { ga: { 'acc,none': score } }, model_name: 'org/a', ...more })
  const settings = (config: object) => ({ config: { gen_kwargs: null, random_seed: 0, fewshot_seed: 1234, ...config } })
  const folder = write('settings', {
    plain: run(0.1, settings({})),
    sampled: run(0.2, settings({ gen_kwargs: { temperature: 0.5 } })),
    seeded: run(0.3, settings({ fewshot_seed: 7 })),
    asked: run(0.4, {
      ...settings({}),
      system_instruction: 'Be brief.',
      chat_template: '{{ x }}',
      fewshot_as_multiturn: true,
    }),
    limited: run(0.5, settings({ limit: 10 })),
  })
  const imported = await importResults(path('ledger-settings'), folder)
  expect(imported.map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'imported'))
  expect(imported.map(({ representation }) => representation).sort()).toEqual(
    [
      'logits',
      `logits+${settingsHash({ fewshotSeed: 7 })}`,
      `logits+${settingsHash({ genKwargs: { temperature: 0.5 } })}`,
      `logits+chat+${settingsHash({ systemInstruction: 'Be brief.' })}`,
      'logits+limit10',
    ].sort(),
  )
  // one score per model and task for those who compare models
  expect((await harnessFiles(folder)).scores).toHaveLength(1)
})
