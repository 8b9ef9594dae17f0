/** MASSIVE's intents from the shared folder, and accuracies of classifiers on them. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { evaluateTask } from '#task/protocols'
import { openModel } from '#experiment/open'
import { openRepo } from '#files/hub'
import { findTasks } from '#task/registry'
import { loadTask, type LoadedTask } from '#task/rows'
import { sharedPath } from '../../shared.ts'

/** A folder of this test's own. */
export async function temporary(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'strata-classifier-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

/** MASSIVE's test rows of one locale, in the data set's own layout. */
export async function massive(locale: string): Promise<LoadedTask> {
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

export async function accuracy(
  reference: string,
  loaded: LoadedTask,
  { maxLength = 64 }: { maxLength?: number } = {},
): Promise<number> {
  const model = await openModel(reference, { maxLength })
  try {
    if (model.classifier === undefined) throw new Error(`${reference} has no head`)
    const { scores } = await evaluateTask(loaded, await model.classifier())
    return Number(scores['test']?.[0]?.['accuracy'])
  } finally {
    await model.close()
  }
}
