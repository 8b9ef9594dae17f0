/**
 * Vectors that somebody else makes as a model, a server's: it has no layers, only `default`, and every vector is kept,
 * because asking costs more than reading back.
 */
import { type CallOptions, fault, fingerprint, matrix, type Similarity } from '#core'
import type { ModelOptions } from '#model/passes'
import { storeFor } from '#platform/vectors'
import { storedEmbedder } from './embedder.ts'
import { type Encoder, type LayerVectors, openLayerVectors } from './layer-vectors.ts'
import type { Model } from './model.ts'
import { ruleOf } from './model-rules.ts'
import type { PromptChoice } from './prompts.ts'
import { promptsOf, promptWords } from './settings.ts'
import { noTensors, tableEncoder, tableFacts, tableModel } from './table-model.ts'

export interface VectorServer {
  /** As in the result path. */
  readonly name: string
  readonly revision: string
  /** For facts: `openai-embeddings`. */
  readonly type: string
  /** What moves a vector besides its text and prompt: under this it is kept. */
  readonly description: Readonly<Record<string, string | number | boolean | null>>
  /** Numbers of a vector, where they were asked for. */
  readonly dimensions: number | undefined
  /** Texts per request. */
  readonly batchSize: number
  /** The server, for messages. */
  readonly place: string
  readonly probeTexts: readonly string[]
  /** Whether two vectors may be of one text, asked twice. */
  readonly isSame: (a: Float32Array, b: Float32Array) => boolean
  /** Vectors of `probeTexts`, once they can be believed. */
  probe(call: Pick<CallOptions, 'signal'>): Promise<readonly Float32Array[]>
  /** One vector for each text, each of `width` numbers. */
  encode(
    texts: readonly string[],
    call: Pick<CallOptions, 'signal'> & {
      readonly width: number
      readonly onRows?: ((rows: number, tokens: number) => void) | undefined
    },
  ): Promise<readonly Float32Array[]>
}

export interface ServerModelOptions extends Pick<ModelOptions, 'store' | 'prompt' | 'promptName' | 'normalize'> {
  /** Prompts by name, task, type or side, as a folder would have them. */
  readonly prompts?: Readonly<Record<string, string>> | undefined
  /** How the vectors are compared; default cosine. */
  readonly similarity?: Similarity | undefined
}

/**
 * Asks nothing before the first text that is not kept, and then probes first: vectors of the probes are kept like the
 * others, and where there are some from an earlier run, those of now must be the same. Throws `server.answer`.
 */
export async function openVectorServer(server: VectorServer, options: ServerModelOptions = {}): Promise<Model> {
  const { name, revision, type, description, dimensions, place, batchSize } = server
  const table = tableModel({ similarity: options.similarity, normalize: options.normalize })
  const prompts = promptsFor(await ruleOf(name), options)
  const tensors = noTensors(name)
  const kept = keptVectors(server, options.store)
  return {
    name,
    revision: () => Promise.resolve(revision),
    ...table,
    overrides: [
      ...(dimensions === undefined ? [] : [`dims${dimensions}`]),
      ...promptWords(options),
      // rows are told apart by their names; the usual one has none, as before
      ...(table.settings.similarity === 'cosine' ? [] : [`similarity-${table.settings.similarity}`]),
      ...(options.prompts === undefined ? [] : [`prompts-${fingerprint(options.prompts).slice(0, 8)}`]),
      ...table.overrides,
    ],
    prompts,
    tensors,
    notices: [],
    facts: async () =>
      tableFacts(tensors, { family: 'Server', modelType: type, width: await kept.width(), prompts: prompts.prompts }),
    identity: () =>
      Promise.resolve({ tensors: fingerprint(description), spec: fingerprint({ asking }), tokenizer: '', modules: '' }),
    memoryBytes: () => Promise.resolve(processBytes),
    server: { place, batchSize, vectors: () => kept.known() },
    async embedder({ keys } = {}) {
      const vectors = await kept.vectors()
      return storedEmbedder({
        representation: 'default',
        width: await kept.width(),
        vectors,
        // a server has no passes to share
        ahead: () => Promise.resolve(vectors),
        slot: 'last',
        keep: 'last',
        keys,
        prompts,
      })
    },
    async encoder() {
      const width = await kept.width()
      return tableEncoder(width, async (texts, prompt) => {
        const [data = new Float32Array(0)] = await kept.encoder(width).encode(texts, prompt, {})
        return matrix(texts.length, width, data)
      })
    },
    close: () => kept.close(),
  }
}

/** Changes when a request does, or the reading of an answer. */
const asking = 1

const processBytes = 250e6

/** mteb's rule for a model of this name, unless the caller has prompts of its own. */
function promptsFor(
  rule: PromptChoice['rule'],
  { prompts, prompt, promptName }: Pick<ServerModelOptions, 'prompts' | 'prompt' | 'promptName'>,
): PromptChoice {
  if (prompts === undefined) return promptsOf(undefined, rule, { prompt, promptName })
  return { ...promptsOf(undefined, undefined, { prompt, promptName }), prompts }
}

interface Kept {
  /** Asks where neither the user nor the store knows. */
  width(): Promise<number>
  vectors(): Promise<LayerVectors>
  known(): Promise<LayerVectors | undefined>
  encoder(width: number): Encoder
  close(): Promise<void>
}

function keptVectors(server: VectorServer, given: ModelOptions['store']): Kept {
  const { dimensions } = server
  const description = { model: server.name, asking, ...server.description }
  const probed = { ...description, probe: true }
  const makeSlots = (width: number): Encoder['slots'] => [{ name: 'last', width }]
  let store: ReturnType<typeof storeFor> | undefined
  let checked: Promise<number> | undefined
  let opened: Promise<LayerVectors> | undefined

  const openedStore = (): ReturnType<typeof storeFor>['store'] => (store ??= storeFor(given)).store
  /** The width of the kept probes. */
  const knownWidth = async (): Promise<number | undefined> => {
    const [slots] = (await given?.described(probed)) ?? []
    return dimensions ?? slots?.[0]?.width
  }
  /** Throws where the server gives its probes other vectors than it did when the kept ones were made. */
  const check = async (signal: AbortSignal | undefined): Promise<number> => {
    const before = await knownWidth()
    const probes = await server.probe({ signal })
    const width = probes[0]?.length ?? 0
    if (before !== undefined && before !== width) throw changed(server, `${width} numbers`, `${before} numbers`)
    const space = await openedStore().space(probed, makeSlots(width))
    try {
      if ((await space.missing(server.probeTexts)).length > 0)
        await space.append(server.probeTexts, [joined(probes, width)])
      const { data } = await space.read('last', server.probeTexts)
      const other = probes.findIndex((probe, at) => !server.isSame(probe, data.subarray(at * width, (at + 1) * width)))
      if (other >= 0) throw changed(server, `another vector of ${JSON.stringify(server.probeTexts[other])}`, undefined)
      return width
    } finally {
      await space.close()
    }
  }
  const checkOnce = (signal?: AbortSignal): Promise<number> => {
    checked ??= check(signal)
    checked.catch(() => (checked = undefined))
    return checked
  }
  const encoder = (width: number): Encoder => ({
    slots: makeSlots(width),
    async encode(texts, prompt, { signal, onRows }) {
      await checkOnce(signal)
      const prompted = prompt === null ? texts : texts.map((text) => prompt + text)
      return [joined(await server.encode(prompted, { signal, width, onRows }), width)]
    },
  })
  const openAt = (width: number): LayerVectors =>
    openLayerVectors({ store: openedStore(), description, encoders: () => encoder(width) })
  const width = async (): Promise<number> => (await knownWidth()) ?? checkOnce()
  const vectors = (): Promise<LayerVectors> => {
    opened ??= width().then(openAt)
    opened.catch(() => (opened = undefined))
    return opened
  }
  return {
    width,
    vectors,
    encoder,
    known: async () => ((await knownWidth()) === undefined ? undefined : vectors()),
    async close() {
      await (await opened?.catch(() => undefined))?.close()
      await store?.close()
    },
  }
}

function joined(rows: readonly Float32Array[], width: number): Float32Array {
  const all = new Float32Array(rows.length * width)
  rows.forEach((row, at) => all.set(row, at * width))
  return all
}

function changed({ place }: VectorServer, seen: string, wanted: string | undefined): Error {
  return fault('server.answer', {
    place,
    what: 'the server does not give the vectors that it gave when those in the cache were made: it runs something else now',
    seen,
    wanted,
    hint: 'name what it runs, as revision=NAME in --model_args: vectors and results of other revisions stay as they are',
  })
}
