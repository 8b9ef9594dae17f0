import { mkdtemp, readFile, rm, symlink, mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { evaluateTask } from '../../src/evaluate/index.ts'
import { openMergeFile, openModel, writeMerge } from '../../src/experiment/index.ts'
import { openRepo } from '../../src/hub/index.ts'
import { findTasks, loadTask, type LoadedTask } from '../../src/tasks/index.ts'
import { shared, sharedPath } from '../shared.ts'

const locales = ['en-US', 'de-DE', 'es-ES', 'fr-FR', 'nl-NL', 'pt-PT', 'da-DK', 'af-ZA', 'sq-AL', 'cy-GB']

async function temporary(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'strata-classifier-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

/** MASSIVE's test rows of one locale, from the shared folder in the data set's own layout. */
async function massive(locale: string): Promise<LoadedTask> {
  const repo = await temporary()
  await mkdir(join(repo, locale))
  await symlink(sharedPath('data', 'massive', locale, 'test.jsonl.gz'), join(repo, locale, 'test.jsonl.gz'))
  await writeFile(
    join(repo, 'README.md'),
    `---\nconfigs:\n- config_name: "${locale}"\n  data_files:\n  - split: test\n    path: "${locale}/test.jsonl.gz"\n---\n`,
  )
  const { tasks } = await findTasks(['MASSIVEIntent'])
  const [task] = tasks
  if (task === undefined) throw new Error('no task')
  const named = { ...task, columns: { text: 'text', label: 'intent' } }
  return loadTask(named, { subsets: [locale], openDataset: () => openRepo(repo, { type: 'dataset' }) })
}

async function accuracy(reference: string, loaded: LoadedTask): Promise<number> {
  const model = await openModel(reference, { maxLength: 64 })
  try {
    const { scores } = await evaluateTask(loaded, await model.classifier())
    return Number(scores['test']?.[0]?.['accuracy'])
  } finally {
    await model.close()
  }
}

describe.skipIf(!shared)('classifiers on MASSIVE', () => {
  // one row of 2,974 may fall the other way where two logits nearly meet; recorded with 4 decimals
  const tolerance = 1 / 2974 + 5e-5

  test('a model, and an average of ten that is never written, have the recorded accuracies', { timeout: 180_000 }, async () => {
    const recorded = JSON.parse(await readFile(sharedPath('models', 'stories260K-massive', 'reference_accuracies.json'), 'utf8')) as {
      test_accuracy: Record<string, Record<string, number>>
      merges: Record<string, { average_of_all_10: number }>
    }
    const recipe = join(await temporary(), 'all.yml')
    const folder = (locale: string): string => sharedPath('models', 'stories260K-massive', locale)
    await writeFile(recipe, `merge_method: linear\nparameters: {weight: 1}\nmodels:\n${locales.map((locale) => `  - model: ${folder(locale)}\n`).join('')}`)
    const loaded = await massive('cy-GB')
    expect(Math.abs((await accuracy(folder('en-US'), loaded)) - (recorded.test_accuracy['en-US']?.['cy-GB'] ?? NaN))).toBeLessThan(tolerance)
    const unwritten = await accuracy(`merge:${recipe}`, loaded)
    expect(Math.abs(unwritten - (recorded.merges['cy-GB']?.average_of_all_10 ?? NaN))).toBeLessThan(tolerance)
    const opened = await openMergeFile(recipe)
    const out = join(await temporary(), 'written')
    await writeMerge(opened, out).finally(() => opened.close())
    expect(await accuracy(out, loaded)).toBe(unwritten)
  })

  test('an encoder classifier of 60 labels', { timeout: 180_000 }, async () => {
    const recorded = JSON.parse(await readFile(sharedPath('models', 'nano-xlmr-massive', 'accuracy.json'), 'utf8')) as {
      accuracy: Record<string, Record<string, number>>
    }
    const loaded = await massive('en-US')
    const found = await accuracy(sharedPath('models', 'nano-xlmr-massive', 'en-US'), loaded)
    expect(Math.abs(found - (recorded.accuracy['en-US']?.['en-US'] ?? NaN))).toBeLessThan(tolerance)
  })
})

test.skipIf(!shared)('a model without a head for it is refused by name', async () => {
  const model = await openModel(sharedPath('models', 'nano-pythia', 'ft-qa'))
  onTestFinished(() => model.close())
  await expect(model.classifier()).rejects.toMatchObject({ code: 'config.unsupported' })
})
