/** A fine-tuned model and its base → a PEFT adapter folder. */
import { resolve } from 'node:path'
import { type CallOptions, version } from '#core'
import { parseReference, type Reference, referenceText } from '#files/hub'
import {
  adapterCard,
  adapterConfig,
  adapterFile,
  type ExtractedTensors,
  extractTensors,
  type ExtractionOptions,
  type ExtractionPlan,
  planExtraction,
} from '#model/adapters'
import { openOutputFolder } from '#platform/disk'
import { type HeadedModel, openPair } from '#experiment/open'
import { readCards } from './read-cards.ts'
import { refuseInputAsTarget } from './refuse-target.ts'

export interface OpenedExtraction {
  readonly model: HeadedModel
  readonly base: HeadedModel
  readonly plan: ExtractionPlan
  close(): Promise<void>
}

export interface WrittenAdapter extends Pick<ExtractedTensors, 'tensors' | 'bytes' | 'resumed'> {
  readonly folder: string
  readonly modules: number
  readonly rank: number
  /** Share of the change's squared norm in the factors, over all modules. */
  readonly kept: number
  readonly notes: readonly string[]
}

/**
 * Opens a fine-tuned model and its base as far as their headers, and plans the LoRA adapter that leads from one to the
 * other. Throws what opening and planning throw; both models are closed again then.
 *
 * @example
 * ```ts
 * import { openExtraction } from 'strata-lm/merge'
 *
 * const opened = await openExtraction('merge:louder.yml', 'assets/models/stories260K', { maxRank: 4 })
 * console.log(opened.plan.factors.length) // → 35
 * await opened.close()
 * ```
 */
export async function openExtraction(
  model: string,
  base: string,
  { signal, onProgress, ...options }: ExtractionOptions & CallOptions = {},
): Promise<OpenedExtraction> {
  const {
    models: [tuned, before],
    close,
  } = await openPair(model, base, { signal, onProgress })
  try {
    return { model: tuned, base: before, plan: planExtraction(tuned, before, options), close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Writes the adapter of an opened extraction as a PEFT folder. The folder gets the target's name only when it is
 * complete. Throws `usage.conflict` (a target that is an input, holds something, or is being written), and what
 * extracting throws.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { openExtraction, writeExtraction } from 'strata-lm/merge'
 *
 * const opened = await openExtraction('merge:louder.yml', 'assets/models/stories260K', { maxRank: 4 })
 * await writeExtraction(opened, 'adapter')
 * await opened.close()
 * const model = await openModel('assets/models/stories260K+./adapter')
 * console.log(model.states?.count) // → 6
 * await model.close()
 * ```
 */
export async function writeExtraction(
  { model, base, plan }: OpenedExtraction,
  target: string,
  { overwrite = false, ...options }: CallOptions & { overwrite?: boolean } = {},
): Promise<WrittenAdapter> {
  await refuseInputAsTarget([model, base], target)
  const folder = await openOutputFolder(target, { overwrite })
  try {
    const extracted = await extractTensors(plan, model, base, folder.staging, options)
    await folder.keepOnly([adapterFile])
    const named = baseOf(parseReference(base.model))
    const config = adapterConfig(plan, extracted, { ...named, config: model.config })
    await folder.write('adapter_config.json', `${JSON.stringify(config, undefined, 2)}\n`)
    await folder.write(
      'README.md',
      adapterCard({
        title: target.split('/').at(-1) ?? target,
        model: model.model,
        base: base.model,
        rank: Number(config['r']),
        cards: await readCards([...model.origins, ...base.origins]),
        version,
      }),
    )
    await folder.publish()
    const { modules, tensors, bytes, resumed, notes } = extracted
    const [total, kept] = modules.reduce(([all, held], one) => [all + one.total, held + one.kept], [0, 0])
    return {
      folder: target,
      modules: modules.length,
      rank: Number(config['r']),
      tensors,
      bytes,
      resumed,
      kept: total === 0 ? 1 : kept / total,
      notes: [...plan.notes, ...notes],
    }
  } catch (error) {
    await folder.release()
    throw error
  }
}

/** A folder gets its absolute path: the adapter may be anywhere. */
function baseOf(reference: Reference): { base: string; revision: string | undefined } {
  const isFolderOfRepo = reference.kind === 'hub' && reference.folder !== undefined
  if (reference.adapter !== undefined || reference.kind === 'merge' || isFolderOfRepo)
    return { base: referenceText(reference), revision: undefined }
  return reference.kind === 'hub'
    ? { base: reference.name, revision: reference.revision }
    : { base: resolve(reference.path), revision: undefined }
}
