/**
 * A model with its donor's tokenizer as a folder that transformers opens: weights, repaired config, the donor's
 * tokenizer files, the model's further files, card, manifest.
 */
import { type ModelHeaders, version } from '#core'
import { inputFiles } from '#files/formats'
import { openOutputFolder } from '#platform/disk'
import { type WriteOptions, writeSource } from '#model/merge'
import { transplantCard, transplantedConfig, transplantedGeneration, transplantedSource } from '#model/transplant'
import { readGenerationConfig, type OpenedTransplant } from '#experiment/open'
import { readCards } from './read-cards.ts'
import { recordedFolder } from './recorded-folder.ts'
import { refuseInputAsTarget } from './refuse-target.ts'
import { isOfTokenizer, largestTokenizer, readTokenizerFiles } from './tokenizer-files.ts'
import { carriedFiles } from './write-merge.ts'

export interface WriteTransplantOptions extends WriteOptions {
  overwrite?: boolean | undefined
}

export interface WrittenTransplant {
  readonly folder: string
  readonly rows: number
  readonly tensors: number
  readonly bytes: number
  readonly files: readonly string[]
  /** Tensors reused from an interrupted run. */
  readonly resumed: number
  readonly notes: readonly string[]
}

/**
 * Writes an opened transplant as a model folder with the donor's tokenizer. The folder gets the target's name only when
 * it is complete. Throws `usage.conflict` (a target that is an input, holds something, or is being written),
 * `tensor.value`, and what writing throws.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { openTransplant, writeTransplant } from 'strata-lm/merge'
 *
 * const opened = await openTransplant('assets/models/stories260K', 'assets/models/tiny-t5', { method: 'mean' })
 * await writeTransplant(opened, 'transplanted')
 * await opened.close()
 * const model = await openModel('transplanted')
 * console.log(model.tensors.info('model.embed_tokens.weight')?.shape) // → [ 152, 64 ]
 * await model.close()
 * ```
 */
export async function writeTransplant(
  opened: OpenedTransplant,
  target: string,
  { overwrite = false, ...options }: WriteTransplantOptions = {},
): Promise<WrittenTransplant> {
  const { model, donor, vocabularies, plan } = opened
  await refuseInputAsTarget([model, donor], target)
  const { onProgress, signal } = options
  const tensors = transplantedSource(plan, {
    model,
    donor,
    vocabularies,
    cut: async (texts) => (await model.tokenizer.encodeBatch(texts, { addSpecialTokens: false })).map(({ ids }) => ids),
    onRows: (_, done, total) => onProgress?.({ stage: 'approximate', done, total, unit: 'tokens' }),
    signal,
  })
  const input: ModelHeaders = { model: model.model, config: model.config, tensors }
  const folder = await openOutputFolder(target, { overwrite })
  try {
    const written = await writeSource(input, [model, donor], folder.staging, options)
    const { layout, outcomes, resumed, identity, inputHashes } = written
    const recorded = await recordedFolder(folder, written)
    const words = { config: donor.config, generation: await readGenerationConfig(donor.files), table: donor.table }
    const { config, notes: configNotes } = transplantedConfig(model.config, model.table, words, vocabularies)
    await recorded.writeJson('config.json', config, await model.files.text('config.json'))
    for (const [path, content] of await furtherFiles(opened)) await recorded.write(path, content)
    if (await model.files.has('generation_config.json')) {
      const generation = transplantedGeneration(await readGenerationConfig(model.files), config, words)
      const text = await model.files.text('generation_config.json')
      await recorded.writeJson('generation_config.json', generation, text)
    }
    const cards = await readCards([...model.origins, ...donor.origins])
    const title = target.split('/').at(-1) ?? target
    await recorded.write('README.md', transplantCard(plan, { title, cards, config, version }))
    const notes = [...plan.notes, ...configNotes]
    const manifest = {
      version,
      identity,
      command: 'transplant',
      options: plan.options,
      inputs: await Promise.all(
        [model, donor].map(async ({ model: name, tensors, files }) => ({
          model: name,
          revision: files.revision ?? null,
          files: await inputFiles(tensors, inputHashes),
        })),
      ),
      files: recorded.files,
      tables: plan.tensors.map(({ name, role, shape, donor: from, rows: { counts } }) => ({
        name,
        role,
        shape,
        donor: from?.name ?? null,
        counts,
      })),
      notes,
      tensors: outcomes,
    }
    await recorded.writeManifest(manifest)
    await folder.publish()
    return {
      folder: target,
      rows: plan.rows,
      tensors: outcomes.length,
      bytes: layout.totalBytes,
      files: layout.shards.map(({ file }) => file),
      resumed,
      notes,
    }
  } catch (error) {
    await folder.release()
    throw error
  } finally {
    await tensors.close()
  }
}

/** The donor's tokenizer and chat templates, and the model's files that mention no token. */
async function furtherFiles({ model, donor }: OpenedTransplant): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>()
  for (const path of await carriedFiles(model.files))
    if (!isOfTokenizer(path) && path !== 'generation_config.json')
      found.set(path, await model.files.bytes(path, largestTokenizer))
  for (const [path, bytes] of await readTokenizerFiles(donor.files)) found.set(path, bytes)
  return found
}
