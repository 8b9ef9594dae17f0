/**
 * A merge as a folder that transformers opens: weights, repaired config, the donor's tokenizer and further files,
 * recipe, card, manifest.
 */
import { basename } from 'node:path'
import { Fault, fault, fingerprint, findPlugin, type RepoFiles, type TensorSource, version } from '#core'
import { inputFiles, inputPaths } from '#files/formats'
import { mergeMethodNamed } from '#model/merge-methods'
import { modelCard, type WriteOptions, writeTensors, type WrittenTensors } from '#model/merge'
import { fileHash, keepHashes, openOutputFolder, type OutputFolder } from '#platform/disk'
import { sourcesOf, tokenizerTexts, type OpenedMerge } from '#experiment/open'
import { type MergeStep, toSteps } from './merge-steps.ts'
import { mergeOrigins, readCards } from './read-cards.ts'
import { recordedFolder } from './recorded-folder.ts'
import { refuseInputAsTarget, refuseSharedTarget } from './refuse-target.ts'

export interface WriteMergeOptions extends WriteOptions {
  overwrite?: boolean | undefined
  /**
   * File for the hashes of inputs, which serve later merges of the same files; without, or where it cannot be written,
   * every merge reads its inputs once more for them.
   */
  hashes?: string | undefined
}

export interface WrittenMerge {
  readonly folder: string
  readonly tensors: number
  readonly bytes: number
  readonly files: readonly string[]
  /** Tensors reused from an interrupted run. */
  readonly resumed: number
  /** One per input; empty without a base. */
  readonly steps: readonly MergeStep[]
  readonly notes: readonly string[]
}

/**
 * Writes an opened merge as a folder that transformers and Strata load: weights, config, tokenizer, model card,
 * manifest. The folder gets the target's name only when it is complete, and an interrupted merge continues where it
 * stopped. Throws `usage.conflict` (a target that is an input, holds something, or is being written), and what writing
 * throws.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { openMergeFile, writeMerge } from 'strata-lm/merge'
 *
 * const opened = await openMergeFile('recipe.yml')
 * const { tensors, files } = await writeMerge(opened, 'merged')
 * await opened.close()
 * const model = await openModel('merged')
 * console.log(tensors, files, model.states?.count) // → 47 [ 'model.safetensors' ] 6
 * await model.close()
 * ```
 */
export async function writeMerge(
  opened: OpenedMerge,
  target: string,
  options: WriteMergeOptions = {},
): Promise<WrittenMerge> {
  const [written] = await writeMerges([{ opened, target }], options)
  if (written === undefined) throw fault('internal', { place: target, what: 'nothing was written' })
  return written
}

export interface MergeTarget {
  readonly opened: OpenedMerge
  readonly target: string
}

/**
 * Several merges in one pass: inputs that they share are read once for all of them. The bytes of each are the same as
 * when it runs alone. Throws as `writeMerge` does; no folder gets its target's name before all are finished.
 */
export async function writeMerges(
  merges: readonly MergeTarget[],
  { overwrite = false, hashes, ...options }: WriteMergeOptions = {},
): Promise<WrittenMerge[]> {
  if (hashes !== undefined && options.hashInputs !== false) await keepHashesIn(hashes)
  await refuseSharedTarget(merges.map(({ target }) => target))
  const inputs = merges.flatMap(({ opened }) => opened.inputs)
  for (const { target } of merges) await refuseInputAsTarget(inputs, target)
  const outputs: { merge: MergeTarget; folder: OutputFolder }[] = []
  try {
    for (const merge of merges) outputs.push({ merge, folder: await openOutputFolder(merge.target, { overwrite }) })
    const plans = outputs.map(({ merge: { opened }, folder }) => ({
      plan: opened.plan,
      sources: sourcesOf(opened),
      folder: folder.staging,
    }))
    const tensors = await writeTensors(plans, options)
    const written: WrittenMerge[] = []
    for (const [k, { merge, folder }] of outputs.entries()) {
      const own = tensors[k]
      if (own !== undefined) written.push(await completed(merge, folder, own))
    }
    for (const { folder } of outputs) await folder.publish()
    return written
  } catch (error) {
    for (const { folder } of outputs) await folder.release()
    throw error
  }
}

/** A cache that takes nothing is no reason not to merge. */
async function keepHashesIn(path: string): Promise<void> {
  try {
    await keepHashes(path)
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'file.write') throw error
  }
}

/** Writes everything except the weights, the manifest last. */
async function completed(
  { opened, target }: MergeTarget,
  folder: OutputFolder,
  tensors: WrittenTensors,
): Promise<WrittenMerge> {
  const { plan, inputs, further, config, recipe, recipeFile } = opened
  const { layout, outcomes, resumed, identity, inputHashes } = tensors
  const recorded = await recordedFolder(folder, tensors)
  await recorded.writeJson('config.json', config, await opened.donor.files.text('config.json'))
  for (const [path, content] of await furtherFiles(opened)) await recorded.write(path, content)
  await recorded.write(recipeFile, `${recipe.text}\n`)
  const base = plan.base === undefined ? undefined : plan.inputs[plan.base]
  await recorded.write(
    'README.md',
    modelCard(recipe, {
      title: target.split('/').at(-1) ?? target,
      inputs: plan.inputs,
      base,
      compat: plan.compat,
      cards: await readCards(mergeOrigins(opened)),
      config,
      hasModules: await opened.donor.files.has('modules.json'),
      version,
    }),
  )
  const steps = toSteps(opened, outcomes)
  const notes = [...plan.notes, ...outcomes.flatMap(({ name, notes }) => notes.map((note) => `${name}: ${note}`))]
  const manifest = {
    version,
    identity,
    method: plan.method,
    ...pluginRecord(plan.method),
    compat: plan.compat,
    seed: plan.seed,
    inputs: await Promise.all(inputs.map((input) => inputRecord(input, inputHashes))),
    further: await Promise.all(
      further.map(async (source) => ({ source: source.name, ...(await sourceRecord(source, inputHashes)) })),
    ),
    files: recorded.files,
    steps,
    notes,
    tensors: outcomes,
  }
  await recorded.writeManifest(manifest)
  return {
    folder: target,
    tensors: outcomes.length,
    bytes: layout.totalBytes,
    files: layout.shards.map(({ file }) => file),
    resumed,
    steps,
    notes,
  }
}

/** The file that the method comes from; nothing for one of Strata's own. */
function pluginRecord(method: string): { plugin?: { file: string; sha256: string } } {
  const source = findPlugin(mergeMethodNamed(method))
  return source === undefined ? {} : { plugin: { file: basename(source.path), sha256: source.sha256 } }
}

/**
 * Record of an input: its files with their hashes; for tensors without a file (an adapter applied, a merge), the
 * identity that follows from the files behind them, and the inputs of a merge that the recipe describes.
 */
async function inputRecord(
  { model, tensors, files, config, merged }: OpenedMerge['inputs'][number],
  hashes: ReadonlyMap<string, string>,
): Promise<unknown> {
  return {
    model,
    revision: files.revision ?? null,
    config: fingerprint(config),
    ...(await sourceRecord(tensors, hashes)),
    inputs: merged && (await Promise.all(merged.inputs.map((input) => innerRecord(input)))),
  }
}

/** The merge has not read the file itself, but a hash of it is part of the merge's identity. */
async function innerRecord(input: OpenedMerge['inputs'][number]): Promise<unknown> {
  const paths = inputPaths(input.tensors) ?? []
  return inputRecord(
    input,
    new Map(await Promise.all(paths.map(async (path) => [path, await fileHash(path)] as const))),
  )
}

async function sourceRecord(
  source: TensorSource,
  hashes: ReadonlyMap<string, string>,
): Promise<{ identity: string | undefined; files: unknown }> {
  const files = await inputFiles(source, hashes)
  return { identity: files.length > 0 ? undefined : await source.identity(), files }
}

const weightFiles = /\.(safetensors|bin|pt|pth|h5|msgpack|onnx|onnx_data|gguf|npz|ckpt|ot|mlmodel)$/i
const ownFiles =
  /^(README\.md|config\.json|mergekit_config\.yml|mergekit_moe_config\.yml|strata_merge\.json|.*\.index\.json)$/i
const largestFile = 64 * 2 ** 20

/**
 * Further files of the output: the donor's, a joined tokenizer with the settings of the model it begins with, the
 * recipe's chat template.
 */
async function furtherFiles(opened: OpenedMerge): Promise<Map<string, string | Uint8Array>> {
  const { files } = opened.donor
  const { texts, gone } = await tokenizerTexts(opened)
  const found = new Map<string, string | Uint8Array>()
  for (const path of await carriedFiles(files)) if (!gone(path)) found.set(path, await files.bytes(path))
  for (const [path, text] of texts) found.set(path, text)
  return found
}

/**
 * Tokenizer, generation config, chat template, modules of a sentence-transformers folder: all small files that are not
 * weights.
 */
export async function carriedFiles(files: RepoFiles): Promise<string[]> {
  const carried: string[] = []
  for (const path of await files.list()) {
    if (
      weightFiles.test(path) ||
      ownFiles.test(path) ||
      /(^|\/)\./.test(path) ||
      /^(onnx|openvino|coreml|runs|checkpoint-\d+)\//.test(path)
    )
      continue
    if (/\.(json|txt|model|jinja|py|tiktoken)$/i.test(path)) carried.push(path)
  }
  const sizes = await Promise.all(
    carried.map(async (path) => (await files.bytes(path, largestFile).catch(() => undefined)) !== undefined),
  )
  return carried.filter((_, i) => sizes[i])
}
