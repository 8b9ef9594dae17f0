/**
 * Vectors of a data set's instances, layer by layer: texts and parts of texts from the store, averaged per slot and
 * concatenated.
 */
import { type CallOptions, fault, type Matrix, matrix } from '#core'
import { narrow, widen } from '#files/formats'
import { type Model, statesOf, tokensOf } from '#model/checkpoint'
import { rememberedKeys, type VectorStore } from '#platform/vectors'
import { type Piece, piecesOf, type ProbeDataSet, type ProbeProfile } from '#task/probing'
import { openSpanVectors, type Span, type SpanVectors } from './span-vectors.ts'

export interface ProbeVectors {
  /** Computes all layers of all instances, from one pass of each text; returns the number of texts that passed. */
  ensure(dataSet: ProbeDataSet, options?: CallOptions): Promise<number>
  /** [instances × width · slots] of state h, in memory that threads share; NaN rows where a span has no token. */
  read(h: number, dataSet: ProbeDataSet): Promise<Matrix>
  close(): Promise<void>
}

export interface ProbeVectorsOptions {
  readonly store: VectorStore | undefined
  readonly profile: ProbeProfile
  /** Layers that will be asked for; default: all. */
  readonly layers?: readonly number[]
}

const wholeTexts = new Set<string>(['SENTENCE', 'SENTENCE_PAIR_BI', 'SENTENCE_PAIR_CROSS'])

export function openProbeVectors(model: Model, { store, profile, layers }: ProbeVectorsOptions): ProbeVectors {
  const states = statesOf(model)
  const keys = rememberedKeys()
  const keep = layers === undefined ? 'all' : Math.max(0, ...layers)
  let spans: Promise<SpanVectors> | undefined
  const spanVectors = (): Promise<SpanVectors> => (spans ??= openSpanVectors(model, store))
  const known = new WeakMap<ProbeDataSet, Promise<Piece[][][]>>()
  const slotsOf = (dataSet: ProbeDataSet): Promise<Piece[][][]> => {
    const found = known.get(dataSet) ?? allPieces(model, dataSet, profile)
    known.set(dataSet, found)
    return found
  }
  const textsOf = async (h: number, texts: readonly string[], call: CallOptions = {}): Promise<Matrix> => {
    const embedder = await states.embedder({ kind: 'state', h, pooling: 'mean' }, { keep, keys })
    return embedder.embed(texts, call)
  }

  return {
    async ensure(dataSet, call) {
      const pieces = (await slotsOf(dataSet)).flat(2)
      if (!wholeTexts.has(dataSet.taskType))
        return (await (await spanVectors()).ensure(pieces.map(spanOf), call)).encoded
      const before = states.passed().texts
      await textsOf(0, [...new Set(pieces.map(({ text }) => text))], call)
      return states.passed().texts - before
    },
    async read(h, dataSet) {
      const whole = wholeTexts.has(dataSet.taskType)
      const slots = await slotsOf(dataSet)
      const pieces = slots.flat(2)
      const vectors = whole
        ? await textsOf(
            h,
            pieces.map(({ text }) => text),
          )
        : await (await spanVectors()).read(h, pieces.map(spanOf))
      const out = besideOneAnother(slots, vectors)
      // Holmes stores sentence vectors in half precision, but not those of tokens
      if (whole && profile === 'holmes') out.data.set(widen(narrow(out.data, 'F16'), 'F16'))
      return out
    },
    async close() {
      await (await spans?.catch(() => undefined))?.close()
    },
  }

  function spanOf({ text, start = 0, end = 0 }: Piece): Span {
    return { text, start, end }
  }
}

async function allPieces(model: Model, dataSet: ProbeDataSet, profile: ProbeProfile): Promise<Piece[][][]> {
  const crossed = dataSet.taskType.endsWith('CROSS')
  const separator = crossed ? ((await tokensOf(model).tokenizer()).specialTokens['sep_token'] ?? '') : ''
  return dataSet.instances.map((instance) => piecesOf(instance, dataSet.taskType, { separator, profile }))
}

/** Means of each slot's vectors, which are consecutive in `vectors`. */
function besideOneAnother(instances: readonly (readonly (readonly Piece[])[])[], { data, width }: Matrix): Matrix {
  const slots = instances[0]?.length ?? 0
  const odd = instances.find(({ length }) => length !== slots)
  if (odd !== undefined)
    throw fault('task.value', {
      place: 'instances',
      what: 'the instances differ in their number of inputs',
      seen: odd.length,
      wanted: slots,
    })
  const shared = new Float32Array(new SharedArrayBuffer(4 * instances.length * slots * width))
  let [from, to] = [0, 0]
  for (const instance of instances) {
    for (const slot of instance) {
      for (const [i] of slot.entries()) {
        const vector = data.subarray((from + i) * width, (from + i + 1) * width)
        for (let k = 0; k < width; k++) shared[to + k] = (shared[to + k] ?? 0) + (vector[k] ?? 0) / slot.length
      }
      from += slot.length
      to += width
    }
  }
  return matrix(instances.length, slots * width, shared)
}
