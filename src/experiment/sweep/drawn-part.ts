/** Some rows of one subset of a task for classifiers, which a model learns from or is looked at with. */
import { type CallOptions, fault } from '#core'
import { type LabelledPart, loadRequested, requestTask, shareOfRows, type TaskInfo } from '#task/rows'
import { openDatasets } from './load-rows.ts'

export interface DrawnPartOptions extends CallOptions {
  readonly subset: string
  readonly split: string
  /** Number of rows, drawn so that more of them hold the fewer. Default: 512. */
  readonly texts?: number | undefined
  readonly offline?: boolean | undefined
}

/**
 * As many rows as there are, up to `texts`, in their order. Throws what loading throws, and `usage.value` for a task of
 * another protocol.
 */
export async function drawnPart(
  task: TaskInfo,
  { subset, split, texts: most = 512, offline = false, signal, onProgress }: DrawnPartOptions,
): Promise<LabelledPart> {
  const asked = requestTask(task, { splits: [split], subsets: [subset] })
  const openDataset = openDatasets({ offline, ownData: new Map(), signal, onProgress })
  const loaded = await loadRequested(asked, { openDataset, signal, onProgress })
  try {
    const [part] = loaded.protocol === 'SequenceClassification' ? loaded.parts : []
    if (part === undefined || part.texts.length === 0)
      throw fault('usage.value', {
        place: `${task.name} › ${subset} › ${split}`,
        what: 'has no texts with a class of the model',
        seen: loaded.protocol,
        wanted: 'a task for classifiers, such as MASSIVEIntent',
      })
    const rows = shareOfRows(part.texts.length, Math.min(1, most / part.texts.length), task.name, part)
    return {
      ...part,
      texts: rows.map((row) => part.texts[row] ?? ''),
      labels: rows.flatMap((row) => part.labels.slice(row, row + 1)),
    }
  } finally {
    loaded.close()
  }
}
