/**
 * A weight for each token, whatever the text: the side of a search that no model reads (`SparseStaticEmbedding` of
 * sentence-transformers 6.2; Z. Geng et al. 2024, https://arxiv.org/abs/2411.04403).
 */
import { fault, fingerprint, matrix, row, type RepoFiles } from '#core'
import { isObject, optionalTextOf, parseJson, readJsonFields } from '#files/formats'
import { type SparseRow, sparseRow } from '#model/lexical'
import type { ModelOptions } from '#model/passes'
import { loadTokenizer, type Tokenizer } from '#model/tokenizer'
import type { Model } from './model.ts'
import { inFolder } from './module-entries.ts'
import { takeWeights } from './module-weights.ts'
import { modulesIdentity } from './modules-identity.ts'
import { applyModules, laterWidth, type ModulesSpec } from './modules.ts'
import type { ModelParts } from './parts.ts'
import { ruleOf } from './model-rules.ts'
import { promptsOf } from './settings.ts'
import { type SparseEncoder, sparseEmbedder, sparseSearch, sparseSlot, sparseVectors } from './sparse-vectors.ts'
import { tableFacts, tableModel } from './table-model.ts'

/** Throws `config.*`, `tensor.*`, `tokenizer.*`, `usage.conflict` for another type than float32. */
export async function openSparseStatic(parts: ModelParts, modules: ModulesSpec, options: ModelOptions): Promise<Model> {
  const { body, tensors, name, revision } = parts
  const { dtype = 'float32' } = options
  if (dtype !== 'float32')
    throw fault('usage.conflict', {
      place: name,
      what: 'weights of tokens are looked up, not computed',
      seen: `--dtype ${dtype}`,
      wanted: 'float32',
    })
  const tokenizer = await loadTokenizer(body)
  const weights = await readTokenWeights(parts, modules, tokenizer)
  const maxLength = options.maxLength ?? tokenizer.modelMaxLength
  const encoder = tokenEncoder(weights, { tokenizer, maxLength, later: modules.later, place: name })
  const prompts = promptsOf(modules, await ruleOf(name), options)
  const similarity = modules.similarity ?? 'cosine'
  const vectors = sparseVectors(encoder, prompts)
  const table = tableModel({ maxLength, similarity, normalize: options.normalize })
  const isOwnLength = maxLength === tokenizer.modelMaxLength
  return {
    name,
    revision,
    ...table,
    overrides: [...(isOwnLength ? [] : [`len${maxLength ?? ''}`]), ...table.overrides],
    prompts,
    tensors,
    notices: [...(parts.notices ?? []), ...tokenizer.unread],
    facts: () =>
      Promise.resolve(
        tableFacts(tensors, {
          family: 'Weights of tokens',
          modelType: 'sparse-static',
          width: encoder.width,
          modules: modules.names,
          prompts: prompts.prompts,
          vocabulary: tokenizer.vocabularySize,
        }),
      ),
    identity: () =>
      Promise.resolve({
        tensors: fingerprint([...weights]),
        spec: fingerprint({ maxLength: maxLength ?? null }),
        tokenizer: tokenizer.identity,
        modules: modulesIdentity(modules),
      }),
    memoryBytes: () => Promise.resolve(2 * weights.byteLength + processBytes),
    embedder: () => Promise.resolve(sparseEmbedder(vectors, 'default')),
    encoder: () => Promise.resolve(sparseSlot(encoder, 'default')),
    sparse: () => Promise.resolve(vectors),
    searcher: sparseSearch(() => Promise.resolve(vectors), {
      representation: 'default',
      similarity,
      isUnit: options.normalize === true,
      place: name,
    }),
    close: () => tensors.close(),
  }
}

/** The program and the tokenizer. */
const processBytes = 250e6

interface TokenEncoderParts {
  readonly tokenizer: Tokenizer
  readonly maxLength: number | undefined
  readonly later: ModulesSpec['later']
  readonly place: string
}

/** A token counts once, however often a text has it; special tokens are not put around texts. */
function tokenEncoder(weights: Float32Array, { tokenizer, maxLength, later, place }: TokenEncoderParts): SparseEncoder {
  return {
    width: laterWidth(later, weights.length),
    async encode(texts, prompt, { signal, onRows } = {}) {
      const worded = prompt === null ? texts : texts.map((text) => prompt + text)
      const encoded = await tokenizer.encodeBatch(worded, { maxLength, addSpecialTokens: false, signal })
      let tokens = 0
      const rows = encoded.map(({ ids }): SparseRow => {
        tokens += ids.length
        const columns = Int32Array.from(new Set(ids))
          .sort()
          .filter((id) => weights[id] !== 0)
        const last = columns.at(-1) ?? 0
        if (last >= weights.length) throw unknownId(place, last, weights.length)
        return { columns, weights: Float32Array.from(columns, (id) => weights[id] ?? 0) }
      })
      onRows?.(texts.length, tokens)
      return later.length === 0 ? rows : rows.map((one) => finished(one, weights.length, later))
    },
  }
}

function finished({ columns, weights }: SparseRow, width: number, later: ModulesSpec['later']): SparseRow {
  const dense = matrix(1, width)
  columns.forEach((column, i) => (dense.data[column] = weights[i] ?? 0))
  return sparseRow(row(applyModules(later, dense), 0))
}

function unknownId(place: string, seen: number, count: number): Error {
  return fault('tokenizer.invalid', {
    place,
    what: 'the tokenizer gives an id for which there is no weight',
    seen,
    wanted: `0 … ${count - 1}`,
    hint: 'the tokenizer does not belong to this checkpoint',
  })
}

/** `weight` [vocabulary] of the module's tensors, or of the JSON file that its config names. */
async function readTokenWeights(
  { files, body, tensors }: ModelParts,
  { folder }: ModulesSpec,
  tokenizer: Tokenizer,
): Promise<Float32Array> {
  const config = await readJsonFields(body, 'config.json')
  const path = config && optionalTextOf(config, 'path')
  if (path?.endsWith('.json') === true) return readJsonWeights(files, { folder, path }, tokenizer)
  const [count = 0] = tensors.info('weight')?.shape ?? []
  const weights = await takeWeights(tensors, { shapes: { weight: [count] } }, tensors.name)
  return weights.get('weight') ?? new Float32Array()
}

/**
 * Weights by token; tokens that are not named weigh nothing, and an unknown one is the unknown token (the library's
 * `from_json`). The path is looked for in the module's folder, then in the repository. Throws `config.unsupported`
 * where it is in neither.
 */
async function readJsonWeights(
  files: RepoFiles,
  { folder, path }: { readonly folder: string; readonly path: string },
  tokenizer: Tokenizer,
): Promise<Float32Array> {
  const place = `${files.name}/${inFolder(folder, 'config.json')} › path`
  const candidates = [inFolder(folder, path), path].filter((one) => !/^[/\\]|\.\./.test(one))
  let found: string | undefined
  for (const one of candidates) if (found === undefined && (await files.has(one))) found = one
  if (found === undefined)
    throw fault('config.unsupported', {
      place,
      what: 'the weights of tokens are in a file outside the repository',
      seen: path,
      wanted: 'a path in the repository',
    })
  const values = parseJson(await files.text(found), `${files.name}/${found}`)
  if (!isObject(values))
    throw fault('config.value', { place: `${files.name}/${found}`, what: 'not an object of weights by token' })
  const weights = new Float32Array(tokenizer.vocabularySize)
  const unknown = tokenizer.specialTokens['unk_token']
  for (const [token, weight] of Object.entries(values)) {
    const id = tokenizer.tokenId(token) ?? (unknown === undefined ? undefined : tokenizer.tokenId(unknown))
    if (typeof weight !== 'number' || id === undefined || id >= weights.length)
      throw fault('config.value', {
        place: `${files.name}/${found} › ${token}`,
        what: id === undefined ? 'the tokenizer has no such token' : 'not a weight',
        seen: weight,
      })
    weights[id] = weight
  }
  return weights
}

/** Whether the weights are in a JSON file, so that the folder needs no tensors. */
export async function hasJsonWeights(body: RepoFiles): Promise<boolean> {
  const config = await readJsonFields(body, 'config.json')
  return (config && optionalTextOf(config, 'path'))?.endsWith('.json') === true
}
