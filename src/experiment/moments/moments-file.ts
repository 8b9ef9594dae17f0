/** Second moments of a classifier on rows of a task, as the file that a recipe's `fisher` or `gram` names. */
import { fingerprint } from '#core'
import { readConfig, resolveModel } from '#experiment/open'
import { diagonalFisher, gramMatrices, writeFisher, writeGrams } from '#model/gradient'
import { readExamples } from './examples.ts'
import type { MomentOptions } from './options.ts'
import { isRecorded, writeRecord } from './record.ts'

export interface MomentsFile {
  readonly path: string
  readonly texts: number
  /** The file was there, of the same model, texts and settings. */
  readonly reused: boolean
}

/** Raised when a change of the arithmetic moves numbers. */
const arithmetic = '1'

/**
 * Writes the moments of a model to `path`, float32 safetensors, unless the file there has the same key: weights, token
 * ids, labels, settings. Throws what opening the model and its rows throws, `usage.value` for a task of another protocol
 * or without rows, and what `diagonalFisher` throws.
 */
export async function writeMoments(reference: string, path: string, options: MomentOptions): Promise<MomentsFile> {
  const { kind, task, subset, split = 'train', labels = 'sampled', seed = 0, signal, onProgress } = options
  const { body, tensors } = await resolveModel(reference, { signal, onProgress })
  try {
    const config = await readConfig(body)
    const examples = await readExamples(body, config, options)
    const draw = kind === 'fisher' ? { labels, seed: labels === 'sampled' ? seed : null } : null
    const key = fingerprint([arithmetic, kind, await tensors.identity(), config, examples, draw])
    const done = { path, texts: examples.length }
    if (await isRecorded(path, key)) return { ...done, reused: true }
    const given = { config, tensors, examples, signal, onProgress }
    switch (kind) {
      case 'fisher':
        await writeFisher(path, await diagonalFisher({ ...given, labels, seed }), tensors)
        break
      case 'gram':
        await writeGrams(path, await gramMatrices(given))
        break
      default:
        kind satisfies never
    }
    await writeRecord(path, {
      kind,
      model: reference,
      task: task.name,
      subset,
      split,
      texts: examples.length,
      draw,
      key,
    })
    return { ...done, reused: false }
  } finally {
    await tensors.close()
  }
}
