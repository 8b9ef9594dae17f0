/** Small models made up for merges: a decoder's tensor names, seeded values, a config. */
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Dtype } from '#core'
import { narrow, writeSafetensors } from '#files/formats'

export interface MadeModel {
  layers?: number
  width?: number
  vocabulary?: number
  dtype?: Dtype
  seed?: number
  /** Changes to the tensors, by name; undefined leaves one out. */
  change?: (name: string, values: Float32Array) => Float32Array | undefined
  /** Further keys of config.json. */
  config?: Record<string, unknown>
  /** Tensors beside the usual ones. */
  extra?: { name: string; dtype: Dtype; shape: number[]; bytes: Uint8Array }[]
}

export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'strata-merge-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** Writes a model folder; all numbers follow from the seed. */
export async function makeModel(
  folder: string,
  { layers = 3, width = 8, vocabulary = 20, dtype = 'F32', seed = 1, change, config = {}, extra = [] }: MadeModel = {},
): Promise<string> {
  const shapes: [string, number[]][] = [
    ['model.embed_tokens.weight', [vocabulary, width]],
    ...Array.from({ length: layers }, (_, i): [string, number[]][] => [
      [`model.layers.${i}.input_layernorm.weight`, [width]],
      [`model.layers.${i}.self_attn.q_proj.weight`, [width, width]],
      [`model.layers.${i}.mlp.up_proj.weight`, [2 * width, width]],
    ]).flat(),
    ['model.norm.weight', [width]],
    ['lm_head.weight', [vocabulary, width]],
  ]
  const draw = generator(seed)
  const tensors = shapes.flatMap(([name, shape]) => {
    const values = Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, draw)
    const changed = change ? change(name, values) : values
    return changed === undefined ? [] : [{ name, dtype, shape, bytes: narrow(changed, dtype) }]
  })
  await mkdir(folder, { recursive: true })
  await writeSafetensors(join(folder, 'model.safetensors'), [...tensors, ...extra], { format: 'pt' })
  const own = {
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    num_hidden_layers: layers,
    hidden_size: width,
    vocab_size: vocabulary,
    tie_word_embeddings: false,
  }
  await writeFile(join(folder, 'config.json'), JSON.stringify({ ...own, ...config }))
  return folder
}

/** Numbers in [−1, 1) from a small linear congruential sequence. */
function generator(seed: number): () => number {
  let state = seed * 2654435761
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state >>> 8) / 2 ** 23 - 1
  }
}
