/** Pooled vectors of a transformer, `default` and every hidden state: kept in a store, or straight from the model. */
import { type Embedder, fault, type Matrix, type TensorSource } from '#core'
import type { PoolingName } from '#model/passes'
import { storedEmbedder, straightEmbedder } from './embedder.ts'
import { storedVectors, type StoredVectors } from './stored-vectors.ts'
import type { Encoder } from './layer-vectors.ts'
import type { EmbedderOptions, Model, States } from './model.ts'
import { applyModules, laterWidth } from './modules.ts'
import { checkIds, pooledRows, promptedRows } from './pooled-encoder.ts'
import { type PoolingEncoders, poolingEncoders, type PoolingEncodersParts } from './pooling-encoders.ts'
import type { PromptChoice } from './prompts.ts'
import { assertDefault } from './reranker.ts'
import { stateName } from './state.ts'

export interface PooledVectorsParts extends PoolingEncodersParts {
  readonly tensors: TensorSource
  readonly prompts: PromptChoice
  readonly defaultLacks: string | undefined
}

export interface PooledVectors extends Pick<Model, 'embedder' | 'encoder' | 'close'> {
  readonly states: Omit<States, 'searcher'>
}

/** Both ways to a vector, which `default` and the states share. */
interface Ways {
  readonly encoders: PoolingEncoders
  readonly stored: StoredVectors
  /**
   * Without a store, vectors are kept (until the model is closed) only where several representations will be asked for
   * them.
   */
  readonly isKept: (call: EmbedderOptions) => boolean
  readonly finish: (pooled: Matrix) => Matrix
}

export function pooledVectors(parts: PooledVectorsParts): PooledVectors {
  const later = parts.modules?.later ?? []
  const encoders = poolingEncoders(parts)
  const stored = storedVectors({ ...parts, encoders })
  const ways: Ways = {
    encoders,
    stored,
    isKept: ({ keep = 'last' }) => parts.options.store !== undefined || keep !== 'last',
    finish: (pooled) => applyModules(later, pooled),
  }
  return { ...defaultVectors(parts, ways), states: pooledStates(parts, ways), close: stored.close }
}

function defaultVectors(
  { name, settings, prompts, modules, defaultLacks }: PooledVectorsParts,
  { encoders, stored, isKept, finish }: Ways,
): Pick<PooledVectors, 'embedder' | 'encoder'> {
  const later = modules?.later ?? []
  const lastEncoder = async (): Promise<Encoder> => (await encoders.byStates())([], true)
  return {
    async embedder(call = {}) {
      assertDefault({ name, defaultLacks })
      const { keys } = call
      stored.join(call.poolings)
      // It needs the last state, with which a pass has all.
      const keep = typeof call.keep === 'number' ? 'all' : (call.keep ?? 'last')
      const shared = {
        representation: 'default',
        prompts,
        slot: 'last',
        finish: later.length === 0 ? undefined : finish,
      }
      if (!isKept(call)) {
        const encoder = await lastEncoder()
        return straightEmbedder({ ...shared, encoder, width: laterWidth(later, widthOf(encoder, 'last')) })
      }
      const vectors = await stored.of()
      return storedEmbedder({
        ...shared,
        vectors,
        ahead: () => stored.of(settings.pooling, 'ahead'),
        keep,
        keys,
        width: laterWidth(later, widthOf(vectors, 'last')),
      })
    },
    async encoder() {
      assertDefault({ name, defaultLacks })
      const encoder = keepSlots(await lastEncoder(), ['last'])
      const width = encoder.slots[0]?.width ?? 0
      return {
        slots: [{ name: 'default', width: laterWidth(later, width) }],
        async encode(texts, prompt, call) {
          const [data = new Float32Array(0)] = await encoder.encode(texts, prompt, call)
          return [finish({ rows: texts.length, width, data }).data]
        },
      }
    },
  }
}

function pooledStates(parts: PooledVectorsParts, ways: Ways): PooledVectors['states'] {
  const { spec, settings, tokenizer, modules, defaultLacks } = parts
  const { encoders, stored, finish } = ways
  const isOfLast =
    modules?.layerMix === undefined &&
    modules?.routes === undefined &&
    settings.splade === undefined &&
    defaultLacks === undefined
  return {
    count: spec.layers + 1,
    embedder: (state, call = {}) => stateEmbedder(parts, ways, state, call),
    async encoder(states, pooling) {
      const make = await encoders.byStates(pooling === undefined ? undefined : [pooling])
      return keepSlots(
        make(states, encoders.reachesEnd(states)),
        states.map((h) => `h${h}`),
      )
    },
    passed: stored.passed,
    vectors: () => stored.of(),
    // of a mix of layers the pass does not know
    keptBy: modules?.layerMix === undefined ? stored.keptBy : undefined,
    async tokenRows(texts, prompt) {
      const read = promptedRows({ spec, settings, tokenizer: await tokenizer() })
      return read(texts, prompt)
    },
    finish: isOfLast ? finish : undefined,
    rows: (asked, pooling) => stateRows(parts, encoders, asked, pooling),
    tokenizer,
  }
}

async function stateEmbedder(
  { name, settings, prompts }: PooledVectorsParts,
  { encoders, stored, isKept }: Ways,
  state: Parameters<States['embedder']>[0],
  call: EmbedderOptions,
): Promise<Embedder> {
  const { h, pooling } = state
  stored.join(call.poolings)
  const poolings = pooling === undefined ? settings.pooling : [pooling]
  const representation = stateName(state)
  const slot = `h${h}`
  const source = isKept(call)
    ? await stored.of(poolings)
    : (await encoders.byStates(poolings))([h], encoders.reachesEnd([h]))
  const keep = typeof call.keep === 'number' && h <= call.keep ? call.keep : 'all'
  const width = widthOf(source, slot)
  if (width === 0)
    throw fault('representation.unknown', {
      place: name,
      what: 'this pooling does not give such a state',
      seen: representation,
      wanted: source.slots.map((one) => one.name),
    })
  const shared = { representation, prompts, slot, width }
  return 'read' in source
    ? storedEmbedder({ ...shared, vectors: source, ahead: () => stored.of(poolings, 'ahead'), keep, keys: call.keys })
    : straightEmbedder({ ...shared, encoder: source })
}

function stateRows(
  { spec, settings, graphs, budget }: PooledVectorsParts,
  { takeUnnamed, reachesEnd }: PoolingEncoders,
  asked: readonly (number | 'last')[],
  pooling: readonly PoolingName[] = settings.pooling,
): ReturnType<States['rows']> {
  takeUnnamed(pooling)
  const states = asked.filter((h) => h !== 'last')
  const last = states.length < asked.length || reachesEnd(states)
  const pooled = pooledRows({ spec, settings: { ...settings, pooling }, graphs, budget, states, last })
  const slots = asked.map((h) => pooled.slots.findIndex((slot) => slot.name === (h === 'last' ? h : `h${h}`)))
  return {
    widths: slots.map((slot) => pooled.slots[slot]?.width ?? 0),
    async forward(rows, skipped, call) {
      checkIds(rows, spec)
      const values = await pooled.forward(rows, skipped, call)
      return slots.map((slot) => values[slot] ?? new Float32Array(0))
    },
  }
}

/** 0 for a slot that is not there. */
function widthOf({ slots }: Pick<Encoder, 'slots'>, slot: string): number {
  return slots.find(({ name }) => name === slot)?.width ?? 0
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
