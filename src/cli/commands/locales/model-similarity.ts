/** Similarities of the models of a study, for its weights: by task vectors, or by hidden states. */
import { fault } from '#core'
import type { LocaleTable, StudyOptions } from '#experiment/locales'
import { hiddenStateTable, type ModelTableOptions, taskVectorTable } from '#experiment/similarity'
import { drawnPart } from '#experiment/sweep'
import { chooseTasks } from '#task/registry'
import { cacheFolder, modelOptions } from '../../options/model-options.ts'
import type { Terminal } from '../../spec/command.ts'
import type { Flags } from './flags.ts'

/** Similarities that are computed from the models. */
export const modelSimilarities = ['task-vectors', 'hidden-states'] as const
export type ModelSimilarity = (typeof modelSimilarities)[number]

/** The task of a study. */
export const studyTask = 'MASSIVEIntent'

/** Texts that choose the sources; the test split judges them. */
const comparedSplit = 'validation'

/**
 * Rows are the targets, and every model where sources are chosen by their similarity to each other, too. Throws
 * `usage.value` for a target without a model and for task vectors without `--base-model`.
 */
export async function modelTable(
  similarity: ModelSimilarity,
  { models, targets }: Pick<StudyOptions, 'models' | 'targets'>,
  flags: Flags,
  terminal: Terminal,
): Promise<LocaleTable> {
  const { signal, progress: onProgress } = terminal
  const square = flags.choose !== 'top-k'
  const options: ModelTableOptions = {
    targets,
    square,
    cache: cacheFolder(flags),
    onMissing: (reference, { message }) => terminal.note(`no source  ${reference}: ${message}`),
    signal,
    onProgress,
  }
  switch (similarity) {
    case 'task-vectors':
      if (flags.baseModel === undefined)
        throw fault('usage.value', {
          place: '--similarity task-vectors',
          what: 'a task vector is what a model changed about the common ancestor, which is not given',
          hint: 'name it with --base-model',
        })
      return taskVectorTable(models, { ...options, base: flags.baseModel })
    case 'hidden-states': {
      const {
        pooling: _,
        signal: __,
        onProgress: ___,
        ...reading
      } = modelOptions({ ...flags, pooling: undefined }, terminal)
      const rows = [...new Set([...targets, ...(square ? models.keys() : [])])]
      return hiddenStateTable(models, { ...options, texts: await readTexts(rows, flags, terminal), reading })
    }
    default:
      return similarity satisfies never
  }
}

async function readTexts(
  locales: readonly string[],
  { similarityTexts: texts }: Flags,
  { signal, progress: onProgress }: Terminal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const [task] = (await chooseTasks([studyTask])).tasks
  if (task === undefined) throw fault('internal', { place: studyTask, what: 'no such task' })
  const found = new Map<string, readonly string[]>()
  for (const subset of locales) {
    const part = await drawnPart(task, { subset, split: comparedSplit, texts, signal, onProgress })
    found.set(subset, part.texts)
  }
  return found
}
