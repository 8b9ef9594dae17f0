/** What a tensor is: the family's own table against what names suggest, on every model there is. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTensorSet, parseJson } from '#files/formats'
import { openRepo } from '#files/hub'
import { headName, tensorRoles } from '#model/architectures'
import { roleByName } from '../../../src/model/architectures/tensor-roles.ts'
import { carriedModel, useCarriedHub } from '../../carried.ts'
import { shared, sharedPath } from '../../shared.ts'

interface Checkpoint {
  readonly config: Readonly<Record<string, unknown>>
  readonly names: readonly string[]
}

/** Tensors that names alone get wrong, each with what the family knows; numbers are layers. */
const mends: Readonly<Record<string, string>> = {
  // A norm of embeddings, not the final one.
  'modernbert embeddings.norm.weight': 'side after → before',
  'modernbert model.embeddings.norm.weight': 'side after → before',
  'modernbert model.embeddings.norm.bias': 'side after → before',
  // Parts of the masked head, and of the classifier's.
  'modernbert head.dense.weight': 'side before → after',
  'modernbert head.dense.bias': 'side before → after',
  'modernbert decoder.bias': 'side before → after',
  // OPT-350m projects the last state once more.
  'opt model.decoder.project_out.weight': 'side before → after',
  // A table of vectors by distance: an nn.Embedding.
  'bert encoder.layer.#.attention.self.distance_embedding.weight': 'kind none → embedding',
}

function differences({ config, names }: Checkpoint): string[] {
  const roleOf = tensorRoles(config, names)
  return names.flatMap((name) => {
    const [role, guess] = [roleOf(name), roleByName(name)]
    const kind = role.kind === 'mlp' && guess.kind === undefined ? undefined : role.kind
    const said = [
      ...(kind === guess.kind ? [] : [`kind ${guess.kind ?? 'none'} → ${kind ?? 'none'}`]),
      ...(role.side === guess.side ? [] : [`side ${guess.side} → ${role.side}`]),
      ...(role.layer?.layer === guess.layer?.layer ? [] : ['layer']),
    ]
    return said.length === 0
      ? []
      : [`${String(config['model_type'])} ${name.replaceAll(/\d+/g, '#')}: ${said.join(', ')}`]
  })
}

async function checkpoint(reference: Parameters<typeof openRepo>[0]): Promise<Checkpoint> {
  const repo = await openRepo(reference)
  const tensors = await openTensorSet(repo)
  await tensors.close()
  return {
    config: parseJson(await repo.text('config.json'), 'config.json', { allowNaN: true }) as Checkpoint['config'],
    names: tensors.names(),
  }
}

describe('the carried model', () => {
  let undo = (): void => undefined
  beforeAll(() => void (undo = useCarriedHub()))
  afterAll(() => undo())

  test('is what its names say', async () => {
    const found = await checkpoint({ kind: 'hub', name: carriedModel })
    expect(differences(found)).toEqual([])
    const roleOf = tensorRoles(found.config, found.names)
    expect(roleOf('embeddings.word_embeddings.weight')).toMatchObject({
      slot: 'embed.token',
      kind: 'token-embedding',
      side: 'before',
    })
    expect(roleOf('encoder.layer.3.attention.self.key.bias')).toMatchObject({
      slot: 'block.attention.k',
      side: 'within',
      layer: { layer: 3 },
    })
  })
})

describe.skipIf(shared === undefined)('shared models', () => {
  const folders = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'hostile')
      .map(({ name }) => join(folder, name))
      .flatMap((path) => [...(existsSync(join(path, 'config.json')) ? [path] : []), ...folders(path)])
  const weights = /^(?!golden|adapter).*\.(safetensors|bin)$/
  const models =
    shared === undefined
      ? []
      : folders(sharedPath('models')).filter((path) => readdirSync(path).some((name) => weights.test(name)))

  test('differ from their names where these are wrong, and nowhere else', async () => {
    const found = new Set<string>()
    for (const path of models)
      for (const line of differences(await checkpoint({ kind: 'folder', path }))) found.add(line)
    expect([...found].toSorted()).toEqual(
      Object.entries(mends)
        .map(([name, mend]) => `${name}: ${mend}`)
        .toSorted(),
    )
    expect(models.length).toBeGreaterThan(60)
  })

  test('lie as [in × out] where their matrices are Conv1D', async () => {
    const { config, names } = await checkpoint({ kind: 'folder', path: sharedPath('models', 'pico', 'gpt2') })
    const roleOf = tensorRoles(config, names)
    const matrices = names.filter((name) => roleOf(name).inOut).map((name) => name.replace(/^.*\.h\.\d+\./, ''))
    expect(new Set(matrices)).toEqual(
      new Set(['attn.c_attn.weight', 'attn.c_proj.weight', 'mlp.c_fc.weight', 'mlp.c_proj.weight']),
    )
    const roleOfStarcoder = tensorRoles(readConfig('starcoder2'), ['model.layers.0.mlp.c_fc.weight'])
    expect(roleOfStarcoder('model.layers.0.mlp.c_fc.weight')).toMatchObject({ slot: 'block.mlp.in', inOut: false })
  })
})

function readConfig(model: string): Checkpoint['config'] {
  return JSON.parse(readFileSync(sharedPath('models', 'pico', model, 'config.json'), 'utf8')) as Checkpoint['config']
}

test('a family that is not known is read by its names, and so is a tensor that a known one does not know', () => {
  const names = [
    'model.embed_tokens.weight',
    'model.layers.0.mlp.gate_proj.weight',
    'model.rotary_emb.inv_freq',
    'model.adapter.weight',
    'lm_head.weight',
  ]
  const roleOf = tensorRoles({ model_type: 'unheard-of' }, names)
  expect(names.map(roleOf)).toEqual(names.map(roleByName))
  expect(names.map((name) => roleOf(name).kind)).toEqual(['token-embedding', 'mlp', 'buffer', undefined, 'head'])
  expect(tensorRoles({ model_type: 'llama' }, names)('model.adapter.weight')).toEqual(
    roleByName('model.adapter.weight'),
  )
})

test("a wrapper's prefix, TensorFlow's names and a config without model_type are seen through", () => {
  const names = [
    'module.bert.embeddings.word_embeddings.weight',
    'module.bert.embeddings.LayerNorm.gamma',
    'module.cls.predictions.decoder.weight',
  ]
  const roleOf = tensorRoles({ architectures: ['BertForMaskedLM'] }, names)
  expect(names.map((name) => roleOf(name).slot)).toEqual(['embed.token', 'embed.norm', 'head.masked.decoder'])
})

test('a head that is not stored has the name its family gives it', () => {
  expect(headName({ model_type: 'gpt_neox' }, ['gpt_neox.embed_in.weight'])).toBe('embed_out.weight')
  expect(headName({ model_type: 'llama' }, ['model.embed_tokens.weight'])).toBe('lm_head.weight')
  expect(headName({ model_type: 'unheard-of' }, [])).toBe('lm_head.weight')
})
