/** Rows of a task as token ids and classes of a model's head. */
import { fault, type RepoFiles } from '#core'
import { drawnPart } from '#experiment/sweep'
import type { FisherText } from '#model/gradient'
import { specOf } from '#model/architectures'
import { loadTokenizer } from '#model/tokenizer'
import { headNames } from '#task/protocols'
import type { LabelledPart } from '#task/rows'
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
  const part = await drawnPart(task, { ...options, split: options.split ?? 'train' })
  const tokenizer = await loadTokenizer(files)
  const encoded = await tokenizer.encodeBatch([...part.texts], {
    maxLength: maxLength ?? tokenizer.modelMaxLength,
    signal,
  })
  const classes = kind === 'labelled' ? classesOf(part, config) : undefined
  return encoded.map(({ ids }, i) => ({ ids: [...ids], label: classes?.[i] }))
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
