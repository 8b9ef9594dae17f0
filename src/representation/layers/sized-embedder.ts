/** The first numbers of another embedder's vectors, in a type of their own: only the last step differs. */
import { type Calibration, type CallOptions, type Embedder, fault, type Matrix, matrix } from '#core'
import type { Encoder } from '#model/checkpoint'
import { normed } from './combination.ts'
import { representationName, type SizedRepresentation } from './representation.ts'
import { extend, isPacked, isRanged, noRanges, type Ranges, typed } from './vector-type.ts'

/** Throws `representation.unknown` for more dimensions than a vector has. */
export function checkDimensions(dimensions: number | undefined, width: number, place: string): void {
  if (dimensions === undefined || dimensions <= width) return
  throw fault('representation.unknown', {
    place,
    what: 'the vector has fewer dimensions',
    seen: dimensions,
    wanted: `1 … ${width}`,
  })
}

/** The first `dimensions` numbers of every row; all of them where it is undefined. */
export function leading(vectors: Matrix, dimensions: number | undefined): Matrix {
  const { rows, width, data } = vectors
  if (dimensions === undefined || dimensions >= width) return vectors
  const out = matrix(rows, dimensions)
  for (let row = 0; row < rows; row++)
    out.data.set(data.subarray(row * width, row * width + dimensions), row * dimensions)
  return out
}

/** The vectors before their type: cut, and of length 1 again where the model was opened so. */
export function cut(vectors: Matrix, { dimensions }: SizedRepresentation, isUnit: boolean): Matrix {
  const first = leading(vectors, dimensions)
  return isUnit ? normed(first, 'l2') : first
}

/**
 * The first numbers of an embedder's vectors in float32.
 * @param whole gives all numbers in float32
 */
export function cutEmbedder(
  whole: Embedder,
  representation: SizedRepresentation,
  { isUnit, place }: { readonly isUnit: boolean; readonly place: string },
): Embedder {
  const { dimensions } = representation
  checkDimensions(dimensions, whole.width, `${place} › ${representationName(representation)}`)
  return {
    ...whole,
    width: dimensions ?? whole.width,
    embed: async (texts, call) => cut(await whole.embed(texts, call), representation, isUnit),
  }
}

/**
 * The vectors of int8 and uint8 depend on a calibration set: that of `calibrate`, or else the texts of the call, as in
 * sentence-transformers.
 * @param first gives the numbers in float32, cut
 */
export function typedEmbedder(first: Embedder, representation: SizedRepresentation): Embedder {
  const { type, rescore } = representation
  const withRanges = (ranges?: Ranges): Embedder => ({
    ...first,
    isBits: isPacked(type),
    ...(rescore === undefined
      ? {}
      : { rescore: { candidates: rescore, embed: (texts, call) => first.embed(texts, call) } }),
    representation: representationName(representation),
    embed: async (texts, call) => {
      const vectors = await first.embed(texts, call)
      return typed(vectors, type, isRanged(type) ? (ranges ?? rangesOf(vectors)) : undefined)
    },
  })
  if (!isRanged(type)) return withRanges()
  return {
    ...withRanges(),
    async calibrate(groups: Iterable<Calibration>, call?: CallOptions) {
      const ranges = noRanges(first.width)
      for (const { texts, ...asked } of groups) extend(ranges, await first.embed(texts, { ...call, ...asked }))
      return withRanges(ranges)
    },
  }
}

/** The same before their type, which may depend on all texts of a file. */
export function cutEncoder(
  whole: Encoder,
  representation: SizedRepresentation,
  { isUnit, place }: { readonly isUnit: boolean; readonly place: string },
): Encoder {
  const name = representationName(representation)
  if (representation.rescore !== undefined)
    throw fault('usage.conflict', {
      place: `${place} › ${name}`,
      what: 'rescoring is part of a search, and vectors in a file have none',
      hint: 'leave `:rescore` out',
    })
  const [{ width } = { width: 0 }] = whole.slots
  checkDimensions(representation.dimensions, width, `${place} › ${name}`)
  return {
    ...whole,
    slots: [{ name, width: representation.dimensions ?? width }],
    async encode(texts, prompt, call) {
      const [data] = await whole.encode(texts, prompt, call)
      return [cut(matrix(texts.length, width, data), representation, isUnit).data]
    },
  }
}

function rangesOf(vectors: Matrix): Ranges {
  const ranges = noRanges(vectors.width)
  extend(ranges, vectors)
  return ranges
}
