/** Quantised checkpoints and GGUF files as models: opened, merged, written as plain weights without a word of the method. */
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dtype, elementCount } from '#core'
import { narrow, openTensors, readFloat32, type TensorBytes, writeSafetensors } from '#files/formats'
import { describe as describeModel, openMergeFile, openModel } from '#experiment/open'
import { writeMerge } from '#experiment/write'
import { goldenOf } from '../../golden-of.ts'
import { faultOf } from '../../files/formats/made-files.ts'

let work: string
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'strata-plain-'))
})
afterAll(() => rm(work, { recursive: true, force: true }))

const config = {
  model_type: 'llama',
  architectures: ['LlamaForCausalLM'],
  vocab_size: 12,
  hidden_size: 8,
  num_hidden_layers: 1,
  num_attention_heads: 2,
  intermediate_size: 16,
  max_position_embeddings: 32,
  tie_word_embeddings: true,
  torch_dtype: 'float32',
}

const shapes: Readonly<Record<string, readonly number[]>> = {
  'model.embed_tokens.weight': [12, 8],
  'model.layers.0.input_layernorm.weight': [8],
  'model.layers.0.self_attn.q_proj.weight': [8, 8],
  'model.layers.0.self_attn.k_proj.weight': [8, 8],
  'model.layers.0.self_attn.v_proj.weight': [8, 8],
  'model.layers.0.self_attn.o_proj.weight': [8, 8],
  'model.layers.0.post_attention_layernorm.weight': [8],
  'model.layers.0.mlp.gate_proj.weight': [16, 8],
  'model.layers.0.mlp.up_proj.weight': [16, 8],
  'model.layers.0.mlp.down_proj.weight': [8, 16],
  'model.norm.weight': [8],
}

function tensor(name: string, dtype: Dtype, shape: readonly number[], values: Float32Array): TensorBytes {
  return { name, dtype, shape, bytes: narrow(values, dtype) }
}

/** Numbers that FP8 holds exactly: eighths. */
function drawn(name: string, shape: readonly number[], scale: number): Float32Array {
  return Float32Array.from({ length: elementCount(shape) }, (_, i) => (((i * 7 + name.length) % 15) - 7) * scale)
}

/** A checkpoint of FP8 weights with a scale of ½ per tensor, and the plain one that it stands for. */
async function writeBoth(): Promise<{ plain: string; quantised: string }> {
  const [plain, quantised] = [join(work, 'plain'), join(work, 'quantised')]
  await Promise.all([plain, quantised].map((folder) => mkdir(folder, { recursive: true })))
  const stored: TensorBytes[] = []
  const whole: TensorBytes[] = []
  for (const [name, shape] of Object.entries(shapes)) {
    whole.push(tensor(name, 'F32', shape, drawn(name, shape, 1 / 16)))
    if (!name.endsWith('_proj.weight')) {
      stored.push(tensor(name, 'F32', shape, drawn(name, shape, 1 / 16)))
      continue
    }
    stored.push(tensor(name, 'F8_E4M3', shape, drawn(name, shape, 1 / 8)))
    stored.push(tensor(`${name}_scale_inv`, 'F32', [], Float32Array.of(0.5)))
    stored.push(tensor(name.replace(/weight$/, 'activation_scale'), 'F32', [], Float32Array.of(3)))
  }
  await writeSafetensors(join(plain, 'model.safetensors'), whole)
  await writeSafetensors(join(quantised, 'model.safetensors'), stored)
  await writeFile(join(plain, 'config.json'), JSON.stringify(config))
  const quantization_config = { quant_method: 'fp8', weight_block_size: null, activation_scheme: 'static' }
  await writeFile(join(quantised, 'config.json'), JSON.stringify({ ...config, quantization_config }))
  return { plain, quantised }
}

async function statesOf(reference: string): Promise<Float32Array[]> {
  const model = await openModel(reference)
  try {
    const rows = model.states?.rows([0, 1], ['mean'])
    return (await rows?.forward([{ ids: Int32Array.of(1, 5, 9, 3), typeIds: new Int32Array(4) }], 0)) ?? []
  } finally {
    await model.close()
  }
}

describe('a quantised checkpoint', () => {
  test('gives the states of the plain weights, and says how it was stored', async () => {
    const { plain, quantised } = await writeBoth()
    expect(await statesOf(quantised)).toEqual(await statesOf(plain))
    const notices: string[] = []
    const model = await openModel(quantised, { onNotice: (notice) => notices.push(notice) })
    expect(notices).toEqual([expect.stringContaining('weights are quantised (FP8)')])
    const facts = await model.facts()
    expect(facts).toMatchObject({ tensors: Object.keys(shapes).length, dtypes: { F32: Object.keys(shapes).length } })
    await model.close()
  })

  test('merges like any other, and writes plain weights', async () => {
    const { plain, quantised } = await writeBoth()
    const recipe = join(work, 'recipe.yml')
    await writeFile(
      recipe,
      `merge_method: linear\nmodels:\n  - {model: ${quantised}, parameters: {weight: 1}}\n  - {model: ${plain}, parameters: {weight: 1}}\n`,
    )
    const out = join(work, 'merged')
    const opened = await openMergeFile(recipe)
    await writeMerge(opened, out)
    await opened.close()
    const written = JSON.parse(await readFile(join(out, 'config.json'), 'utf8')) as Record<string, unknown>
    expect(written).not.toHaveProperty('quantization_config')
    const [merged, whole] = [
      await openTensors(join(out, 'model.safetensors')),
      await openTensors(join(plain, 'model.safetensors')),
    ]
    expect(merged.names().toSorted()).toEqual(Object.keys(shapes).toSorted())
    for (const name of Object.keys(shapes))
      expect(await readFloat32(merged, name)).toEqual(await readFloat32(whole, name))
    await Promise.all([merged.close(), whole.close()])
  })

  test('of AutoGPTQ says its method in a file of its own', async () => {
    const folder = join(work, 'silent')
    await mkdir(folder)
    await writeFile(join(folder, 'config.json'), JSON.stringify(config))
    await writeFile(join(folder, 'quantize_config.json'), JSON.stringify({ bits: 5, group_size: 128 }))
    await writeSafetensors(join(folder, 'model.safetensors'), [
      { name: 'a.qweight', dtype: 'I32', shape: [1], bytes: new Uint8Array(4) },
    ])
    expect(await faultOf(() => openModel(folder))).toMatchObject({
      code: 'config.value',
      message: expect.stringContaining('not a width of GPTQ – 5') as string,
    })
  })
})

describe('a GGUF file', () => {
  const { file } = goldenOf<{ file: string }>('model/gguf', 'llama')
  const write = async (name: string): Promise<string> => {
    const path = join(work, name)
    await mkdir(join(path, '..'), { recursive: true })
    await writeFile(path, Buffer.from(file, 'base64'))
    return path
  }

  test('is a model by its own name, and in a folder of its own', async () => {
    const path = await write('one/tiny.Q8_0.gguf')
    const model = await openModel(path)
    expect(model.name).toBe('tiny.Q8_0')
    expect(model.states?.count).toBe(3)
    const revision = await model.revision()
    const other = await openModel(join(work, 'one'))
    expect(other.name).toBe('one')
    expect(await other.revision()).toBe(revision)
    await Promise.all([model.close(), other.close()])
    expect(await describeModel(path)).toMatchObject({ kind: 'model', type: 'transformer', states: 3 })
  })

  test('is named where a folder has several', async () => {
    await write('many/a.gguf')
    const path = await write('many/b.gguf')
    expect(await faultOf(() => openModel(join(work, 'many')))).toMatchObject({
      code: 'usage.value',
      message: expect.stringContaining('several GGUF files') as string,
    })
    const model = await openModel(path)
    await model.close()
  })

  test('encodes text by its own tokenizer', async () => {
    const model = await openModel(await write('text/tiny.gguf'))
    const embedder = await model.embedder()
    const { data } = await embedder.embed(['abc de'])
    expect(data).toHaveLength(32)
    expect(data.every(Number.isFinite)).toBe(true)
    await model.close()
  })
})
