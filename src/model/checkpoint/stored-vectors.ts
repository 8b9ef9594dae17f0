/** Vectors that the passes of a transformer leave in a store, pooling by pooling. */
import { fingerprint, type TensorSource } from '#core'
import { storeFor } from '#platform/vectors'
import type { PoolingName } from '#model/passes'
import { type Encoder, type Keep, type LayerVectors, openLayerVectors } from './layer-vectors.ts'
import type { Passed, States } from './model.ts'
import type { PoolingEncoders, PoolingEncodersParts } from './pooling-encoders.ts'
import { jointGroups, passShared, type PoolingGroup, type SharedPass } from './shared-pass.ts'

/** For the texts at hand, or for those of the next task. */
type Hold = 'asked' | 'ahead'

export interface StoredVectors {
  /** Default: the model's own pooling. */
  readonly of: (pooling?: readonly PoolingName[], hold?: Hold) => Promise<LayerVectors>
  readonly keptBy: NonNullable<States['keptBy']>
  /** Poolings that are wanted of the same texts. */
  readonly join: (poolings: readonly PoolingGroup[] | undefined) => void
  readonly passed: () => Passed
  readonly close: () => Promise<void>
}

interface StoredVectorsParts extends Pick<
  PoolingEncodersParts,
  'name' | 'spec' | 'tokenizer' | 'settings' | 'modules' | 'options'
> {
  readonly tensors: TensorSource
  readonly encoders: PoolingEncoders
}

/** Changes when the arithmetic does, so that vectors stored by an older program are not mixed in. */
const arithmetic = 2

export function storedVectors(parts: StoredVectorsParts): StoredVectors {
  const { settings, modules, options, encoders } = parts
  const opened = new Map<string, Promise<LayerVectors>>()
  let store: ReturnType<typeof storeFor> | undefined
  let passed: Passed = { texts: 0, tokens: 0, seconds: 0 }
  let together: readonly PoolingGroup[] = []

  const open = async (pooling: readonly PoolingName[], byKeep: (keep: Keep) => Encoder): Promise<LayerVectors> => {
    const description = await describe(parts, pooling)
    store ??= storeFor(options.store)
    return openLayerVectors({
      store: store.store,
      description,
      encoders: byKeep,
      onPassed: (texts, tokens, seconds) => {
        passed = { texts: passed.texts + texts, tokens: passed.tokens + tokens, seconds: passed.seconds + seconds }
      },
    })
  }
  const of = (pooling: readonly PoolingName[] = settings.pooling, hold: Hold = 'asked'): Promise<LayerVectors> => {
    const key = `${hold} ${pooling.join()}`
    const others = (group: PoolingGroup): Promise<LayerVectors> => of(group, hold)
    const known =
      opened.get(key) ??
      sharing(encoders, pooling, { together: () => together, others }).then((by) => open(pooling, by))
    opened.set(key, known)
    known.catch(() => opened.delete(key))
    return known
  }
  return {
    of,
    async keptBy(pass, pooling = settings.pooling) {
      const make = await encoders.byStates(pooling)
      return open(pooling, (keep) => {
        const { slots } = encoders.reaching(make, keep)
        const names = slots.map(({ name: slot }) => slot)
        return { slots, encode: (texts, prompt, call) => pass(names, texts, prompt, call) }
      })
    },
    // a mix of the last states is made before pooling, where it is not linear
    join(poolings) {
      if (poolings !== undefined && modules?.layerMix === undefined) together = poolings
    },
    passed: () => passed,
    async close() {
      const vectors = await Promise.allSettled(opened.values())
      await Promise.all(vectors.flatMap((one) => (one.status === 'fulfilled' ? [one.value.close()] : [])))
      await store?.close()
    },
  }
}

/** Everything but text and prompt that decides a vector. */
async function describe(
  { name, spec, tensors, tokenizer, settings, modules }: StoredVectorsParts,
  pooling: readonly PoolingName[],
): Promise<Readonly<Record<string, unknown>>> {
  const { identity } = await tokenizer()
  // scaled when they are read: the stored ones are the same
  const { normalize: _scaled, ...reading } = settings
  const mix = modules?.layerMix
  return {
    model: name,
    arithmetic,
    tensors: await tensors.identity(),
    tokenizer: identity,
    spec: fingerprint(spec),
    ...reading,
    mix: mix === undefined ? null : { start: mix.start, weights: [...mix.weights] },
    pooling,
  }
}

interface Sharing {
  readonly together: () => readonly PoolingGroup[]
  /** Where the vectors of another pooling are stored. */
  readonly others: (group: PoolingGroup) => Promise<LayerVectors>
}

/** A pass serves every pooling that is wanted: the vectors of the others are stored along with its own. */
async function sharing(
  { byStates, reaching }: PoolingEncoders,
  pooling: PoolingGroup,
  { together, others }: Sharing,
): Promise<(keep: Keep) => Encoder> {
  const own = await byStates(pooling)
  return (keep) => {
    const alone = reaching(own, keep)
    return {
      slots: alone.slots,
      async encode(texts, prompt, call) {
        const groups = jointGroups(together())
        if (groups.length < 2 || !groups.some((group) => group.join() === pooling.join()))
          return alone.encode(texts, prompt, call)
        const joint = reaching(await byStates(groups.flat()), keep)
        const keepOther: SharedPass['keepOther'] = async (group, ...given) =>
          (await others(group)).append(keep, ...given)
        return passShared({ joint, groups, keepOther }, pooling, texts, prompt, call)
      },
    }
  }
}
