/** Rows of a task as token ids and classes of a model's head. */
import { fault, type RepoFiles } from '#core'
import { openDatasets } from '#experiment/sweep'
import type { FisherText } from '#model/gradient'
import { specOf } from '#model/architectures'
import { loadTokenizer } from '#model/tokenizer'
import { headNames } from '#task/protocols'
import { type LabelledPart, loadRequested, requestTask, shareOfRows } from '#task/rows'
import type { MomentOptions } from './options.ts'

/**
 * As many rows as there are, up to `texts`, in their order. Throws what loading throws, and `usage.value` for a task of
 * another protocol, and where a label has no class in the head.
 */
export async function readExamples(
  files: RepoFiles,
  config: Readonly<Record<string, unknown>>,
  options: MomentOptions,
): Promise<readonly FisherText[]> {
  const { task, maxLength, signal, labels: kind } = options
  const part = await readPart(options)
  const rows = shareOfRows(part.texts.length, Math.min(1, (options.texts ?? 512) / part.texts.length), task.name, part)
  const tokenizer = await loadTokenizer(files)
  const encoded = await tokenizer.encodeBatch(
    rows.map((row) => part.texts[row] ?? ''),
    { maxLength: maxLength ?? tokenizer.modelMaxLength, signal },
  )
  const classes = kind === 'labelled' ? classesOf(part, config) : undefined
  return encoded.map(({ ids }, i) => ({ ids: [...ids], label: classes?.[rows[i] ?? 0] }))
}

async function readPart({
  task,
  subset,
  split = 'train',
  offline = false,
  signal,
  onProgress,
}: MomentOptions): Promise<LabelledPart> {
  const asked = requestTask(task, { splits: [split], subsets: [subset] })
  const openDataset = openDatasets({ offline, ownData: new Map(), signal, onProgress })
  const loaded = await loadRequested(asked, { openDataset, signal, onProgress })
  try {
    const [part] = loaded.protocol === 'SequenceClassification' ? loaded.parts : []
    if (part !== undefined && part.texts.length > 0) return part
    throw fault('usage.value', {
      place: `${task.name} › ${subset} › ${split}`,
      what: 'has no texts with a class of the model',
      seen: loaded.protocol,
      wanted: 'a task for classifiers, such as MASSIVEIntent',
    })
  } finally {
    loaded.close()
  }
}

/** Column of the head for each row's label. */
function classesOf(part: LabelledPart, config: Readonly<Record<string, unknown>>): number[] {
  const place = `${part.subset} › ${part.split}`
  const names = headNames(specOf(config).labels ?? [], part.names, place)
  return part.labels.map((label) => {
    const at = names.indexOf(label)
    if (at < 0)
      throw fault('usage.value', {
        place,
        what: "the model's head has no such label",
        seen: label,
        wanted: names.slice(0, 10),
      })
    return at
  })
}
