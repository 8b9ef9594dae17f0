/** A transformer as a model: what it reads, its encoders, the cache of its layer vectors, its token states. */
import { fault } from '#core'
import type { ModelSpec } from '#model/architectures'
import { offers, planMemory } from '#model/graph'
import { loadTokenizer, type Tokenizer } from '#model/tokenizer'
import { embedderOf } from './embedder.ts'
import { modelFacts } from './facts.ts'
import { openLayerVectors, type Encoder, type LayerVectors } from './layer-vectors.ts'
import type { Model } from './model.ts'
import { ruleOf } from './model-rules.ts'
import type { ModelOptions } from './options.ts'
import { applyModules, laterWidth, type ModulesSpec } from './modules.ts'
import { openClassifier } from './classifier.ts'
import type { ModelParts } from './parts.ts'
import { modulesIdentity } from './modules-identity.ts'
import { graphPooling, pooledEncoder, tokenRows } from './pooled-encoder.ts'
import { representationName, type PoolingName } from './representation.ts'
import { openSessions } from './sessions.ts'
import { readSettings } from './settings.ts'
import { storeFor } from '#platform/vectors'
import { checkBatch, runTokens, type TokenBatch } from './token-states.ts'

/** Padded tokens of a batch: the fastest of 512 … 4,096 for a 6 × 384 encoder on 2 cores, and never far from it for larger ones. */
const defaultBatchTokens = 1024

/** What a process takes beside weights and activations: the program and the engine (measured: 190 MB), a block of vectors being encoded and one being written. */
const processBytes = 400e6

/** Changes when the arithmetic does, so that vectors stored by an older program are not mixed in. */
const arithmetic = 1

export async function openTransformer(parts: ModelParts, spec: ModelSpec, modules: ModulesSpec | undefined, options: ModelOptions): Promise<Model> {
  const { body, tensors, name, revision } = parts
  const budget = options.batchTokens ?? defaultBatchTokens
  // Token ids can be run without any tokenizer; what needs one asks again and gets the reason.
  const ownTokenizer = await loadTokenizer(body).catch((error: unknown) => asMissing(error))
  const tokenizer = async (): Promise<Tokenizer> => ownTokenizer ?? loadTokenizer(body)
  const { settings, prompts, overrides } = readSettings({ spec, modules, tokenizer: ownTokenizer, rule: await ruleOf(name), place: name }, options)
  const sessions = openSessions(spec, tensors, options)
  const { open } = sessions
  const { store, close: closeStore } = storeFor(options.store)
  const states = spec.layers + 1
  const later = modules?.later ?? []

  const encoderOf = async (keep: readonly number[], pooling: readonly PoolingName[]): Promise<Encoder> =>
    pooledEncoder({
      spec,
      settings: { ...settings, pooling },
      open,
      tokenizer: await tokenizer(),
      states: keep,
      budget,
      ...(modules?.layerMix === undefined ? {} : { mix: modules.layerMix }),
    })

  const openedVectors = new Map<string, Promise<LayerVectors>>()
  const openVectors = async (keep: 'all' | 'last', pooling: readonly PoolingName[]): Promise<LayerVectors> => {
    const { identity } = await tokenizer()
    const description = {
      model: name,
      arithmetic,
      keep,
      tensors: await tensors.identity(),
      tokenizer: identity,
      architecture: options.architecture ?? null,
      ...settings,
      mix: modules?.layerMix === undefined ? null : { start: modules.layerMix.start, weights: [...modules.layerMix.weights] },
      pooling,
    }
    return openLayerVectors({ store, description, encoder: await encoderOf(keep === 'all' ? range(states) : [], pooling) })
  }
  const vectorsOf = (keep: 'all' | 'last', pooling: readonly PoolingName[] = settings.pooling): Promise<LayerVectors> => {
    const key = `${keep} ${pooling.join()}`
    const known = openedVectors.get(key) ?? openVectors(keep, pooling)
    openedVectors.set(key, known)
    known.catch(() => openedVectors.delete(key))
    return known
  }

  return {
    kind: 'transformer',
    name,
    revision,
    settings,
    prompts,
    overrides,
    states,
    hasPooler: offers(spec, tensors, { states: [], pooler: true }),
    tensors,
    tokenizer,
    facts: async () => modelFacts({ parts, spec, modules, prompts, tokenizer: ownTokenizer }),
    async identity() {
      return { tensors: await tensors.identity(), tokenizer: (await tokenizer()).identity, modules: modulesIdentity(modules) }
    },
    async memoryBytes() {
      const { total } = planMemory(spec, tensors, { batchTokens: Math.max(budget, settings.maxLength), cols: settings.maxLength })
      return total + processBytes
    },
    layerVectors: (keep = 'all') => vectorsOf(keep),
    classifier: async () =>
      openClassifier({
        name,
        spec,
        offered: offers(spec, tensors, { states: [], logits: 'sequence' }),
        settings,
        prompts,
        open,
        tokenizer: await tokenizer(),
        budget,
      }),
    async embedder(representation, keep = 'all') {
      const own = representation.kind === 'default'
      const vectors = await vectorsOf(own ? keep : 'all', own || representation.pooling === undefined ? settings.pooling : [representation.pooling])
      const slot = own ? 'last' : `h${representation.h}`
      const width = vectors.slots.find((one) => one.name === slot)?.width
      if (width === undefined) {
        throw fault('representation.unknown', {
          place: name,
          what: 'this pooling does not give such a state',
          seen: representationName(representation),
          wanted: vectors.slots.map((one) => one.name),
        })
      }
      const steps = own ? later : []
      return embedderOf({
        representation: representationName(representation),
        vectors,
        slot,
        width: laterWidth(steps, width),
        prompts,
        ...(steps.length === 0 ? {} : { finish: (pooled) => applyModules(steps, pooled) }),
      })
    },
    async encoder(wanted) {
      if (wanted !== 'default') {
        const encoder = await encoderOf(wanted, settings.pooling)
        return keepSlots(
          encoder,
          wanted.map((h) => `h${h}`),
        )
      }
      const encoder = keepSlots(await encoderOf([], settings.pooling), ['last'])
      const width = encoder.slots[0]?.width ?? 0
      return {
        slots: [{ name: 'default', width: laterWidth(later, width) }],
        async encode(texts, prompt, call) {
          const [data = new Float32Array(0)] = await encoder.encode(texts, prompt, call)
          return [applyModules(later, { rows: texts.length, width, data }).data]
        },
      }
    },
    async tokenise(texts, { prompt, side }) {
      const one = await tokenizer()
      const { inputIds, attentionMask, typeIds, rows, cols } = one.pad(await tokenRows(one, texts, prompt, settings), { side })
      const batch: TokenBatch = { rows, cols, inputIds, attentionMask }
      return spec.embedding.tokenTypes > 0 ? { ...batch, tokenTypeIds: typeIds } : batch
    },
    async tokenStates(request) {
      checkBatch(request.batch, spec.vocabulary, name)
      const outputs = await runTokens(request, { spec, open, finalNorm: settings.finalNorm, pool: graphPooling(settings.pooling) })
      return outputs.flatMap((output) => {
        if (output.name !== 'last') return [output]
        if (request.embedding !== true) return []
        const [rows = 0, width = 0] = output.dims
        const finished = applyModules(later, { rows, width, data: output.data })
        return [{ name: 'embeddings', dims: [rows, finished.width], data: finished.data }]
      })
    },
    async close() {
      await sessions.close()
      const vectors = await Promise.allSettled(openedVectors.values())
      await Promise.all(vectors.flatMap((one) => (one.status === 'fulfilled' ? [one.value.close()] : [])))
      await tensors.close()
      await closeStore()
    },
  }
}

/** Only the named slots, in that order. */
function keepSlots(encoder: Encoder, names: readonly string[]): Encoder {
  const indexes = names.map((name) => encoder.slots.findIndex((slot) => slot.name === name))
  return {
    slots: indexes.map((index, position) => encoder.slots[index] ?? { name: names[position] ?? '', width: 0 }),
    async encode(texts, prompt, call) {
      const values = await encoder.encode(texts, prompt, call)
      return indexes.map((index) => values[index] ?? new Float32Array(0))
    },
  }
}

/** No tokenizer at all is no defect of a model that is only run on ids; a broken one is. */
function asMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'tokenizer.missing') return undefined
  throw error
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}
