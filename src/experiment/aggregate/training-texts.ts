/** The default corpus: a seeded sample of the tasks' training texts. */
import { type CallOptions, Fault } from '#core'
import { type Corpus, readCorpus } from '#experiment/encode'
import { requestSweep, type SweepOptions, taskTexts } from '#experiment/sweep'

/** Number of texts in the sample. */
const sampleTexts = 30_000
/** Maximum number of texts per task that may enter it: a corpus of millions is not read for a sample. */
const taskLimit = 200_000

/**
 * Distinct texts of the tasks' training splits, sampled with seed 42; undefined where no task has such a split.
 * `onFailure`: of a task whose rows cannot be read, which contributes nothing.
 */
export async function trainingTexts(
  options: Omit<SweepOptions, 'representations'> & CallOptions,
  onFailure: (task: string, error: Fault) => void,
): Promise<Corpus | undefined> {
  const texts = new Set<string>()
  const unread = new Set<string>()
  const sweep = requestSweep({ ...options, representations: [] })
  for (const task of options.tasks) {
    // these texts are test texts here: nothing may be fitted on them
    if (sweep.asked(task).splits.includes('train')) continue
    let taken = 0
    try {
      for await (const rows of taskTexts({ ...options, tasks: [task], splits: ['train'], selections: undefined })) {
        for (const { text } of rows) texts.add(text)
        taken += rows.length
        if (taken >= taskLimit) break
      }
    } catch (error) {
      // a task without training rows contributes nothing
      if (!(error instanceof Fault) || error.code === 'run.cancelled') throw error
      if (error.code === 'task.split' || error.code === 'task.empty') continue
      unread.add(task.name)
      onFailure(task.name, error)
    }
  }
  if (texts.size === 0) return undefined
  const name = options.tasks.flatMap(({ name: task }) => (unread.has(task) ? [] : [task])).join('+')
  return readCorpus(`${name}_train`, oneBatch([...texts]), { most: sampleTexts, drawn: { seed: 42 } })
}

// oxlint-disable-next-line typescript/require-await -- a stream of one batch
async function* oneBatch(texts: readonly string[]): AsyncGenerator<{ text: string }[]> {
  yield texts.map((text) => ({ text }))
}
