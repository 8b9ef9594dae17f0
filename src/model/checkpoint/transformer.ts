/** A transformer as a model: what it reads, and what can be asked of it. */
import { fault, fingerprint, type TensorSource } from '#core'
import type { DecoderPart, ModelSpec } from '#model/architectures'
import { offers, planMemory, storedTies } from '#model/graph'
import { loadTokenizer, type Tokenizer } from '#model/tokenizer'
import {
  type Arithmetic,
  deviceBatchTokens,
  type Graphs,
  type ModelOptions,
  type ModelSettings,
  openGraphs,
  requestOf,
  settleArithmetic,
} from '#model/passes'
import { type Adapted, requireOneAdapter, vectorsByTask, weightSets } from './adapted-vectors.ts'
import { openClassifier } from './classifier.ts'
import { openCrossEncoder } from './cross-encoder.ts'
import { modelFacts, tensorFacts } from './facts.ts'
import { type LanguageModelParts, openLanguageModel } from '#model/language'
import { openAdapters } from './checkpoint-adapters.ts'
import type { Model } from './model.ts'
import { ruleOf } from './model-rules.ts'
import { modulesIdentity } from './modules-identity.ts'
import type { ModulesSpec } from './modules.ts'
import { pairScoring, unnamedReranker } from './pair-scoring.ts'
import type { ModelParts } from './parts.ts'
import { pooledVectors } from './pooled-vectors.ts'
import { withoutDefault } from './reranker.ts'
import { readSettings } from './settings.ts'
import {
  embeddedSparse,
  type SparseEncoder,
  sparseEmbedder,
  sparseSearch,
  sparseSlot,
  sparseVectors,
} from './sparse-vectors.ts'
import { type SpladeSpec, usualSplade } from './splade-config.ts'
import { openTokens } from './token-states.ts'
import { lateSearcher, stateSearcher, type TokenVectorParts } from './token-vectors.ts'
import { openWords } from './words.ts'

/**
 * Padded tokens of a batch: the fastest of 512 … 4,096 for a 6 × 384 encoder on 2 cores, and never far from it for
 * larger ones.
 */
const defaultBatchTokens = 1024

/**
 * Memory of a process besides weights and activations: the program and the engine (measured: 190 MB), a block of
 * vectors being encoded and one being written.
 */
const processBytes = 400e6

/** What config.json says. */
export interface TransformerSpec {
  readonly spec: ModelSpec
  /** The decoder that goes with an encoder. */
  readonly decoder: DecoderPart | undefined
  readonly config: unknown
  /** The sign that it is a reranker, or a classifier, and no embedder. */
  readonly rerankerSign: string | undefined
}

export async function openTransformer(
  parts: ModelParts,
  { spec, decoder, config, rerankerSign }: TransformerSpec,
  modules: ModulesSpec | undefined,
  options: ModelOptions,
): Promise<Model> {
  const { body, tensors, name, revision } = parts
  // Token ids can be run without any tokenizer; what needs one asks again and gets the reason.
  const ownTokenizer = await loadTokenizer(body).catch((error: unknown) => asMissing(error))
  const tokenizer = async (): Promise<Tokenizer> => ownTokenizer ?? loadTokenizer(body)
  const arithmetic = await settleArithmetic(options)
  const adapters = await openAdapters(
    { config, tensors, name, place: `${body.name}/config.json` },
    options.adapter,
    modules,
  )
  const read = readSettings(
    {
      spec,
      modules,
      tokenizer: ownTokenizer,
      rule: await ruleOf(name),
      adapters: adapters.choice,
      arithmetic,
      place: name,
    },
    options,
  )
  const { prompts, overrides } = read
  const budget =
    options.batchTokens ?? (await usualBudget(parts, spec, { ...arithmetic, device: options.device }, read.settings))
  // A pooling that the user names makes an encoder of it.
  const rerankerLacks =
    rerankerSign === undefined || options.pooling !== undefined ? undefined : withoutDefault(rerankerSign)
  const { lateInteraction } = read.settings
  const defaultLacks =
    lateInteraction === undefined ? rerankerLacks : 'the model has a vector for each token, and none for a text'
  const graphsOf = (source: TensorSource): Graphs => openGraphs(spec, source, { ...options, ...arithmetic })
  const graphs = graphsOf(adapters.usual)
  const pairs =
    rerankerLacks === undefined
      ? undefined
      : await pairScoring({ config, spec, graphs, parts, options, tokenizer: ownTokenizer })
  const settings = pairs?.kind === 'scores' ? { ...read.settings, pairs: pairs.reading } : read.settings
  const writing = openWriting(spec, graphs, decoder, parts, { ...options, ...arithmetic })
  const isWriter = defaultLacks === undefined && decoder === undefined && writing !== undefined
  const reranksUnnamed = isWriter && options.pooling === undefined ? unnamedReranker : undefined
  const pooled = { name, spec, tokenizer, settings, prompts, modules, budget, options, defaultLacks }
  const adapted = (source: TensorSource, own: Graphs): Adapted => ({
    graphs: own,
    vectors: pooledVectors({ ...pooled, tensors: source, graphs: own }),
  })
  const vectors = vectorsByTask(adapters, adapted(adapters.usual, graphs), (source) =>
    adapted(source, graphsOf(source)),
  )

  const tokenParts = async (): Promise<TokenVectorParts> => ({
    spec,
    settings,
    prompts,
    graphs,
    tokenizer: await tokenizer(),
    budget,
  })
  const hasHead = adapters.byTask === undefined && offers(spec, tensors, { words: 'max' })
  const words = (splade: SpladeSpec, later: ModulesSpec['later'] = []): SparseEncoder =>
    openWords({ spec, settings, graphs, tokenizer, budget, splade, later })

  return {
    name,
    revision,
    settings,
    prompts,
    overrides,
    tensors,
    notices: [...(parts.notices ?? []), ...(ownTokenizer?.unread ?? [])],
    facts: async () => modelFacts({ parts, spec, modules, prompts, tokenizer: ownTokenizer }),
    async identity() {
      return {
        tensors: await tensors.identity(),
        spec: fingerprint(adapters.withSpec(spec)),
        tokenizer: (await tokenizer()).identity,
        modules: modulesIdentity(modules),
      }
    },
    async memoryBytes() {
      // the last state of few classes has fewer rows than the text has tokens
      const whole = offers(spec, tensors, { lastState: true })
      const request = {
        ...(whole ? { lastState: true } : ({ states: 'all', tokens: true } as const)),
        ...requestOf(arithmetic),
      }
      const { weights, total } = planMemory(spec, tensors, {
        batchTokens: Math.max(budget, settings.maxLength),
        cols: settings.maxLength,
        request,
      })
      // OpenVINO's compiled model holds them once more, and so does each worker's.
      const compiled = arithmetic.engine === 'openvino' ? weights * graphs.workersFor(request) : 0
      return total + processBytes + compiled + weightSets(adapters) * (weights + compiled)
    },
    defaultLacks,
    isReranker: rerankerSign !== undefined,
    ...openDefault(vectors, { words, modules, settings, prompts, name, hasHead }),
    splade: openSplade({ words, prompts, name, settings, hasHead }),
    states: {
      ...vectors.states,
      searcher: async (h) => {
        requireOneAdapter(adapters, name)
        return stateSearcher(await tokenParts(), h)
      },
    },
    tokens: openTokens({
      name,
      spec,
      settings,
      modules,
      defaultLacks,
      graphs,
      tokenizer,
      hasPooler: offers(spec, tensors, { states: [], pooler: true }),
      hasLastState: offers(spec, tensors, { lastState: true }),
    }),
    reranker:
      pairs?.kind === 'scores'
        ? async () => openCrossEncoder({ name, spec, settings, ...pairs, graphs, tokenizer: await tokenizer(), budget })
        : undefined,
    rerankerLacks: pairs?.kind === 'lacks' ? pairs : reranksUnnamed,
    ...(lateInteraction !== undefined && {
      searcher: async () => lateSearcher(await tokenParts(), lateInteraction, modules?.later ?? []),
    }),
    classifier: offers(spec, tensors, { states: [], logits: 'sequence' })
      ? async () => openClassifier({ name, spec, settings, prompts, graphs, tokenizer: await tokenizer(), budget })
      : undefined,
    languageModel:
      writing === undefined
        ? undefined
        : async (own) => {
            const one = await tokenizer()
            const written =
              decoder === undefined ? {} : { decoder: fingerprint(withHeads(decoder, decoder.spec, tensors)) }
            const identity = {
              tensors: await tensors.identity(),
              spec: fingerprint(withHeads(spec, spec, tensors)),
              ...written,
              tokenizer: one.identity,
            }
            const { parameters } = tensorFacts(tensors)
            return openLanguageModel(
              {
                ...writing,
                name,
                revision: await revision(),
                identity,
                parameters,
                files: body,
                settings,
                tokenizer: one,
                budget,
              },
              own,
            )
          },
    languageModelLacks:
      decoder !== undefined && writing === undefined ? `${spec.title}: the checkpoint holds no decoder` : undefined,
    async close() {
      await graphs.close()
      await writing?.graphs.close()
      await vectors.close()
      await tensors.close()
    },
  }
}

/** By the memory of the device, where it has its own. */
async function usualBudget(
  { tensors }: ModelParts,
  spec: ModelSpec,
  { device = 'cpu', ...arithmetic }: Pick<ModelOptions, 'device'> & Arithmetic,
  { maxLength }: ModelSettings,
): Promise<number> {
  const request = { states: 'all', pool: ['mean'], ...requestOf(arithmetic) } as const
  const takes = (batchTokens: number): number =>
    planMemory(spec, tensors, { batchTokens, cols: maxLength, request }).total
  return (await deviceBatchTokens(device, takes)) ?? defaultBatchTokens
}

type Words = (splade: SpladeSpec, later?: ModulesSpec['later']) => SparseEncoder

interface SparseFrom extends Pick<Model, 'name' | 'prompts' | 'settings'> {
  readonly words: Words
  readonly hasHead: boolean
}

/** Vectors of pooled states, or weights of words; searched by their numbers where few of them are not 0. */
function openDefault(
  pooled: Pick<Model, 'embedder' | 'encoder'>,
  { words, modules, settings, prompts, name, hasHead }: SparseFrom & { readonly modules: ModulesSpec | undefined },
): Pick<Model, 'embedder' | 'encoder' | 'sparse' | 'searcher'> {
  const { embedder, encoder } = pooled
  const search = {
    representation: 'default',
    similarity: settings.similarity,
    isUnit: settings.normalize === true,
    place: name,
  }
  const searched = (sparse: NonNullable<Model['sparse']>): Pick<Model, 'sparse' | 'searcher'> =>
    modules?.isSparse === true ? { sparse, searcher: sparseSearch(sparse, search) } : {}
  if (modules?.splade === undefined || settings.splade === undefined) {
    if (modules?.splade !== undefined) return { embedder, encoder }
    return { embedder, encoder, ...searched(async () => embeddedSparse(await embedder())) }
  }
  if (!hasHead)
    throw fault('tensor.missing', {
      place: name,
      what: 'the checkpoint has no masked-LM head, whose logits SpladePooling reads',
      hint: '--pooling mean reads it as an encoder',
    })
  const weighed = words(modules.splade, modules.later)
  const vectors = sparseVectors(weighed, prompts)
  return {
    embedder: () => Promise.resolve(sparseEmbedder(vectors, 'default')),
    encoder: () => Promise.resolve(sparseSlot(weighed, 'default')),
    ...searched(() => Promise.resolve(vectors)),
  }
}

/** The representation of a checkpoint's own head. */
function openSplade({ words, prompts, name, settings, hasHead }: SparseFrom): Model['splade'] {
  if (!hasHead) return undefined
  const weighed = words(usualSplade)
  const vectors = sparseVectors(weighed, prompts)
  const search = { representation: 'splade', isUnit: settings.normalize === true, place: name }
  return {
    embedder: () => Promise.resolve(sparseEmbedder(vectors, 'splade')),
    encoder: () => Promise.resolve(sparseSlot(weighed, 'splade')),
    searcher: sparseSearch(() => Promise.resolve(vectors), { ...search, similarity: 'dot' }),
  }
}

/** With the stored heads that count against a tie: an older program read the table in their place. */
function withHeads(part: unknown, spec: ModelSpec, tensors: ModelParts['tensors']): unknown {
  const stored = storedTies(spec, tensors).map(({ head }) => head)
  return stored.length === 0 ? part : { part, stored }
}

/**
 * The part that writes the next token: the model itself, or the decoder that goes with it; undefined where the
 * checkpoint has neither head.
 */
function openWriting(
  spec: ModelSpec,
  graphs: Graphs,
  decoder: DecoderPart | undefined,
  { tensors }: ModelParts,
  options: Parameters<typeof openGraphs>[2],
): Pick<LanguageModelParts, 'spec' | 'graphs' | 'source'> | undefined {
  if (decoder === undefined)
    return offers(spec, tensors, { states: [], logits: 'causal' }) ? { spec, graphs } : undefined
  if (
    !offers(decoder.spec, tensors, { picked: 'scores', past: 'read' }) ||
    !offers(decoder.spec, tensors, { source: true })
  )
    return undefined
  const source = { encoder: graphs, padId: spec.padId ?? 0, startId: decoder.startId }
  return { spec: decoder.spec, graphs: openGraphs(decoder.spec, tensors, options), source }
}

/** A missing tokenizer is fine for a model that is only run on ids; a broken one is not. */
function asMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'tokenizer.missing') return undefined
  throw error
}
