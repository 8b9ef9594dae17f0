/** Pooled vectors of a transformer, `default` and every hidden state: kept in a store, or straight from the model. */
import { type Embedder, fault, fingerprint, type Matrix, type TensorSource } from '#core'
import type { ModelSpec } from '#model/architectures'
import type { Tokenizer } from '#model/tokenizer'
import { storeFor } from '#platform/vectors'
import { storedEmbedder, straightEmbedder } from './embedder.ts'
import type { Graphs, ModelOptions, ModelSettings, PoolingName } from '#model/passes'
import { type Encoder, type Keep, type LayerVectors, openLayerVectors } from './layer-vectors.ts'
import type { EmbedderOptions, Model, States } from './model.ts'
import { applyModules, laterWidth, type ModulesSpec } from './modules.ts'
import { checkIds, pooledEncoder, pooledRows, promptedRows } from './pooled-encoder.ts'
import type { PromptChoice } from './prompts.ts'
import { assertDefault } from './reranker.ts'
import { jointGroups, passShared, type PoolingGroup, type SharedPass } from './shared-pass.ts'
import { stateName } from './state.ts'

export interface PooledVectorsParts {
  readonly name: string
  readonly spec: ModelSpec
  readonly tensors: TensorSource
  readonly tokenizer: () => Promise<Tokenizer>
  readonly settings: ModelSettings
  readonly prompts: PromptChoice
  readonly modules: ModulesSpec | undefined
  readonly graphs: Graphs
  readonly budget: number
  readonly options: ModelOptions
  readonly defaultLacks: string | undefined
}

export interface PooledVectors extends Pick<Model, 'embedder' | 'encoder' | 'close'> {
  readonly states: Omit<States, 'searcher'>
}

/** For the texts at hand, or for those of the next task. */
type Hold = 'asked' | 'ahead'

/** Changes when the arithmetic does, so that vectors stored by an older program are not mixed in. */
const arithmetic = 2

export function pooledVectors({
  name,
  spec,
  tensors,
  tokenizer,
  settings,
  prompts,
  modules,
  graphs,
  budget,
  options,
  defaultLacks,
}: PooledVectorsParts): PooledVectors {
  const count = spec.layers + 1
  const all = Array.from({ length: count }, (_, h) => h)
  const later = modules?.later ?? []
  const opened = new Map<string, Promise<LayerVectors>>()
  let store: ReturnType<typeof storeFor> | undefined
  let passed = { texts: 0, tokens: 0, seconds: 0 }
  /** Poolings that are wanted of the same texts. */
  let together: readonly PoolingGroup[] = []
  let isTaken = modules !== undefined || options.pooling !== undefined

  /** A pooling that nobody named is reported when it is first used. */
  const takeUnnamed = (pooling: readonly PoolingName[]): void => {
    if (isTaken || pooling !== settings.pooling) return
    isTaken = true
    options.onNotice?.(
      `${name}: no file names a pooling: the ${pooling.join()} of the tokens is taken (--pooling names another)`,
    )
  }

  /** A graph with all blocks gives the last vector too, and is one graph for all who need it. */
  const reachesEnd = (states: readonly number[]): boolean => states.includes(spec.layers)

  const encoderOf = async (
    states: readonly number[],
    pooling: readonly PoolingName[] = settings.pooling,
    last = true,
  ): Promise<Encoder> => (await encodersOf(pooling))(states, last)

  const encodersOf = async (
    pooling: readonly PoolingName[],
  ): Promise<(states: readonly number[], last: boolean) => Encoder> => {
    takeUnnamed(pooling)
    const one = await tokenizer()
    return (states, last) =>
      pooledEncoder({
        spec,
        settings: { ...settings, pooling },
        graphs,
        tokenizer: one,
        states,
        last,
        budget,
        mix: modules?.layerMix,
      })
  }

  /** A pass serves every pooling that is wanted: the vectors of the others are stored along with its own. */
  const sharing = async (pooling: PoolingGroup, hold: Hold): Promise<(keep: Keep) => Encoder> => {
    const own = await encodersOf(pooling)
    return (keep) => {
      const alone = reaching(own, keep)
      return {
        slots: alone.slots,
        async encode(texts, prompt, call) {
          const groups = jointGroups(together)
          if (groups.length < 2 || !groups.some((group) => group.join() === pooling.join()))
            return alone.encode(texts, prompt, call)
          const joint = reaching(await encodersOf(groups.flat()), keep)
          const keepOther: SharedPass['keepOther'] = async (group, ...given) =>
            (await vectorsOf(group, hold)).append(keep, ...given)
          return passShared({ joint, groups, keepOther }, pooling, texts, prompt, call)
        },
      }
    }
  }
  const reaching = (make: Awaited<ReturnType<typeof encodersOf>>, keep: Keep): Encoder => {
    if (keep === 'all') return make(all, true)
    return keep === 'last' ? make([], true) : make(all.slice(0, keep + 1), false)
  }

  const open = async (pooling: readonly PoolingName[], encoders: (keep: Keep) => Encoder): Promise<LayerVectors> => {
    const { identity } = await tokenizer()
    // scaled when they are read: the stored ones are the same
    const { normalize: _scaled, ...reading } = settings
    const description = {
      model: name,
      arithmetic,
      tensors: await tensors.identity(),
      tokenizer: identity,
      spec: fingerprint(spec),
      ...reading,
      mix:
        modules?.layerMix === undefined
          ? null
          : { start: modules.layerMix.start, weights: [...modules.layerMix.weights] },
      pooling,
    }
    store ??= storeFor(options.store)
    return openLayerVectors({
      store: store.store,
      description,
      encoders,
      onPassed: (texts, tokens, seconds) => {
        passed = { texts: passed.texts + texts, tokens: passed.tokens + tokens, seconds: passed.seconds + seconds }
      },
    })
  }
  const vectorsOf = (
    pooling: readonly PoolingName[] = settings.pooling,
    hold: Hold = 'asked',
  ): Promise<LayerVectors> => {
    const key = `${hold} ${pooling.join()}`
    const known = opened.get(key) ?? sharing(pooling, hold).then((encoders) => open(pooling, encoders))
    opened.set(key, known)
    known.catch(() => opened.delete(key))
    return known
  }
  const finish = (pooled: Matrix): Matrix => applyModules(later, pooled)
  const isOfLast =
    modules?.layerMix === undefined &&
    modules?.routes === undefined &&
    settings.splade === undefined &&
    defaultLacks === undefined
  /** A mix of the last states is made before pooling, where it is not linear. */
  const join = ({ poolings }: EmbedderOptions): void => {
    if (poolings !== undefined && modules?.layerMix === undefined) together = poolings
  }
  /**
   * Without a store, vectors are kept (until the model is closed) only where several representations will be asked for
   * them.
   */
  const isKept = ({ keep = 'last' }: EmbedderOptions): boolean => options.store !== undefined || keep !== 'last'
  const keptBy: States['keptBy'] = async (pass, pooling = settings.pooling) => {
    const make = await encodersOf(pooling)
    return open(pooling, (keep) => {
      const { slots } = reaching(make, keep)
      const names = slots.map(({ name: slot }) => slot)
      return { slots, encode: (texts, prompt, call) => pass(names, texts, prompt, call) }
    })
  }

  return {
    async embedder(call = {}) {
      assertDefault({ name, defaultLacks })
      const { keys } = call
      join(call)
      // It needs the last state, with which a pass has all.
      const keep = typeof call.keep === 'number' ? 'all' : (call.keep ?? 'last')
      const shared = {
        representation: 'default',
        prompts,
        slot: 'last',
        finish: later.length === 0 ? undefined : finish,
      }
      if (!isKept(call)) {
        const encoder = await encoderOf([])
        return straightEmbedder({ ...shared, encoder, width: laterWidth(later, widthOf(encoder, 'last')) })
      }
      const vectors = await vectorsOf()
      return storedEmbedder({
        ...shared,
        vectors,
        ahead: () => vectorsOf(settings.pooling, 'ahead'),
        keep,
        keys,
        width: laterWidth(later, widthOf(vectors, 'last')),
      })
    },
    async encoder() {
      assertDefault({ name, defaultLacks })
      const encoder = keepSlots(await encoderOf([]), ['last'])
      const width = encoder.slots[0]?.width ?? 0
      return {
        slots: [{ name: 'default', width: laterWidth(later, width) }],
        async encode(texts, prompt, call) {
          const [data = new Float32Array(0)] = await encoder.encode(texts, prompt, call)
          return [applyModules(later, { rows: texts.length, width, data }).data]
        },
      }
    },
    states: {
      count,
      async embedder(state, call = {}): Promise<Embedder> {
        const { h, pooling } = state
        join(call)
        const poolings = pooling === undefined ? settings.pooling : [pooling]
        const representation = stateName(state)
        const slot = `h${h}`
        const source = isKept(call) ? await vectorsOf(poolings) : await encoderOf([h], poolings, reachesEnd([h]))
        const keep = typeof call.keep === 'number' && h <= call.keep ? call.keep : 'all'
        const width = widthOf(source, slot)
        if (width === 0) {
          throw fault('representation.unknown', {
            place: name,
            what: 'this pooling does not give such a state',
            seen: representation,
            wanted: source.slots.map((one) => one.name),
          })
        }
        const shared = { representation, prompts, slot, width }
        return 'read' in source
          ? storedEmbedder({
              ...shared,
              vectors: source,
              ahead: () => vectorsOf(poolings, 'ahead'),
              keep,
              keys: call.keys,
            })
          : straightEmbedder({ ...shared, encoder: source })
      },
      encoder: async (states, pooling) =>
        keepSlots(
          await encoderOf(states, pooling === undefined ? undefined : [pooling], reachesEnd(states)),
          states.map((h) => `h${h}`),
        ),
      passed: () => passed,
      vectors: () => vectorsOf(),
      // of a mix of layers the pass does not know
      keptBy: modules?.layerMix === undefined ? keptBy : undefined,
      async tokenRows(texts, prompt) {
        const read = promptedRows({ spec, settings, tokenizer: await tokenizer() })
        return read(texts, prompt)
      },
      finish: isOfLast ? finish : undefined,
      rows(asked, pooling = settings.pooling) {
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
      },
      tokenizer,
    },
    async close() {
      const vectors = await Promise.allSettled(opened.values())
      await Promise.all(vectors.flatMap((one) => (one.status === 'fulfilled' ? [one.value.close()] : [])))
      await store?.close()
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
