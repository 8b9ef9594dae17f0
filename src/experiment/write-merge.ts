/** A merge as a folder that transformers opens: weights, repaired config, the donor's tokenizer and further files, recipe, card, manifest. */
import { realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { fault, type RepoFiles } from '../core/index.ts'
import { parseJson } from '../formats/index.ts'
import { inputFiles, modelCard, openOutputFolder, outputConfig, type TensorOutcome, type WriteOptions, writeTensors } from '../merge/index.ts'
import type { OpenedMerge } from './merge-inputs.ts'
import { version } from './version.ts'

export interface WriteMergeOptions extends WriteOptions {
  overwrite?: boolean
}

export interface WrittenMerge {
  readonly folder: string
  readonly tensors: number
  readonly bytes: number
  readonly files: readonly string[]
  /** Tensors kept from a run that was interrupted. */
  readonly resumed: number
  /** ‖merged − base‖ / ‖input − base‖ for each input, over all tensors; empty without a base. */
  readonly steps: readonly { readonly model: string; readonly ratio: number }[]
  readonly notes: readonly string[]
}

/** Throws `usage.conflict` (a target that is an input or holds something, or is being written), and what writing throws; nothing has the target's name before all is there. */
export async function writeMerge(opened: OpenedMerge, target: string, { overwrite = false, ...options }: WriteMergeOptions = {}): Promise<WrittenMerge> {
  const { plan, inputs, donor, recipe } = opened
  await checkTarget(opened, target)
  const folder = await openOutputFolder(target, { overwrite })
  try {
    const { layout, outcomes, resumed, identity } = await writeTensors(plan, inputs, folder.staging, options)
    if (layout.index !== undefined) await folder.write('model.safetensors.index.json', layout.index)
    await folder.write('config.json', `${JSON.stringify(outputConfig(donor.config, recipe, plan), undefined, 2)}\n`)
    for (const [path, content] of await furtherFiles(opened)) await folder.write(path, content)
    await folder.write('mergekit_config.yml', `${recipe.text}\n`)
    const base = plan.base === undefined ? undefined : plan.inputs[plan.base]
    await folder.write('README.md', modelCard(recipe, { title: target.split('/').at(-1) ?? target, inputs: plan.inputs, base, compat: plan.compat, version }))
    const steps = stepsOf(opened, outcomes)
    const notes = [...plan.notes, ...outcomes.flatMap(({ name, notes }) => notes.map((note) => `${name}: ${note}`))]
    const manifest = {
      version,
      identity,
      method: plan.method,
      compat: plan.compat,
      seed: plan.seed,
      inputs: await Promise.all(
        inputs.map(async ({ model, tensors, files }) => ({ model, revision: files.revision ?? null, files: await inputFiles(tensors) })),
      ),
      steps,
      notes,
      tensors: outcomes,
    }
    await folder.write('strata_merge.json', `${JSON.stringify(manifest, undefined, 1)}\n`)
    await folder.publish()
    return { folder: target, tensors: outcomes.length, bytes: layout.totalBytes, files: layout.shards.map(({ file }) => file), resumed, steps, notes }
  } catch (error) {
    await folder.release()
    throw error
  }
}

/** An output inside an input, or around one, would be read while it is written. */
async function checkTarget({ inputs }: OpenedMerge, target: string): Promise<void> {
  const wanted = resolve(target)
  for (const { model, files } of inputs) {
    const [path] = await files.list()
    if (path === undefined) continue
    const local = await files.local('config.json').catch(() => undefined)
    if (local === undefined) continue
    const own = resolve(await realpath(local), '..')
    if (wanted === own || wanted.startsWith(own + sep) || own.startsWith(wanted + sep)) {
      throw fault('usage.conflict', { place: target, what: 'the target lies in an input, or an input in it', seen: model, hint: 'name another folder' })
    }
  }
}

const weights = /\.(safetensors|bin|pt|pth|h5|msgpack|onnx|onnx_data|gguf|npz|ckpt|ot|mlmodel)$/i
const ownFiles = /^(README\.md|config\.json|mergekit_config\.yml|strata_merge\.json|.*\.index\.json)$/i
/** What goes with a tokenizer.json; vocabularies in older forms would contradict a joined one. */
const tokenizerFiles = ['tokenizer_config.json', 'special_tokens_map.json', 'chat_template.jinja']
const largestFile = 64 * 2 ** 20

/** What lies beside weights and config: the donor's files, a joined tokenizer with the settings of the input it starts from, the recipe's chat template. */
async function furtherFiles({ inputs, donor, joined, chatTemplate }: OpenedMerge): Promise<Map<string, string | Uint8Array>> {
  const found = new Map<string, string | Uint8Array>()
  for (const path of await carriedFiles(donor.files)) found.set(path, await donor.files.bytes(path))
  if (joined !== undefined) {
    for (const path of tokenizerFiles) found.delete(path)
    const files = inputs[joined.start]?.files
    for (const path of tokenizerFiles) if (files !== undefined && (await files.has(path))) found.set(path, await files.bytes(path))
    found.set('tokenizer.json', `${JSON.stringify(joined.tokenizer, undefined, 2)}\n`)
  }
  if (chatTemplate !== undefined) {
    for (const path of found.keys()) if (path === 'chat_template.json' || path.startsWith('additional_chat_templates/')) found.delete(path)
    found.set('chat_template.jinja', chatTemplate)
    // Readers older than the file of its own look into the settings.
    const settings = found.get('tokenizer_config.json')
    if (settings !== undefined) {
      const fields = parseJson(settings, `${donor.files.name}/tokenizer_config.json`)
      found.set('tokenizer_config.json', `${JSON.stringify({ ...(fields as Record<string, unknown>), chat_template: chatTemplate }, undefined, 2)}\n`)
    }
  }
  return found
}

/** Tokenizer, generation config, chat template, modules of a sentence-transformers folder: what is small and no weight. */
async function carriedFiles(files: RepoFiles): Promise<string[]> {
  const carried: string[] = []
  for (const path of await files.list()) {
    if (weights.test(path) || ownFiles.test(path) || /(^|\/)\./.test(path) || /^(onnx|openvino|coreml|runs|checkpoint-\d+)\//.test(path)) continue
    if (/\.(json|txt|model|jinja|py|tiktoken)$/i.test(path)) carried.push(path)
  }
  const sizes = await Promise.all(carried.map(async (path) => (await files.bytes(path, largestFile).catch(() => undefined)) !== undefined))
  return carried.filter((_, i) => sizes[i])
}

/** How far the merge went from the base, against how far each input is. */
function stepsOf({ plan }: OpenedMerge, outcomes: readonly TensorOutcome[]): { model: string; ratio: number }[] {
  const far = new Map<number, number>()
  let merged = 0
  const planned = new Map(plan.tensors.map((tensor) => [tensor.name, tensor]))
  for (const { name, statistics } of outcomes) {
    const operands = planned.get(name)?.operands ?? []
    if (statistics?.distance === null || statistics === undefined) continue
    merged += statistics.distance ** 2
    statistics.inputs.forEach(({ distance }, k) => {
      const input = operands[k]?.input
      if (input !== undefined) far.set(input, (far.get(input) ?? 0) + (distance ?? 0) ** 2)
    })
  }
  return [...far].map(([input, square]) => ({ model: plan.inputs[input] ?? '', ratio: square === 0 ? 0 : Math.sqrt(merged / square) }))
}
