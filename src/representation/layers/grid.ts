/** Every combination of representations with leading dimensions and types, and the bytes of their vectors. */
import type { Representation, WholeRepresentation } from './representation.ts'
import { packedWidth, type VectorType } from './vector-type.ts'

export interface GridAxes {
  /** Leading dimensions; those beyond a representation's width are left out of it. Default: `commonDims`. */
  readonly dims?: readonly number[] | undefined
  readonly types: readonly VectorType[]
}

export interface GridPoint {
  readonly representation: Representation
  readonly dimensions: number
  readonly type: VectorType
  /** A vector's, as it is stored. */
  readonly bytes: number
}

/** In the order of the representations, of the dimensions, and of the types; whole vectors have no size in their name. */
export function representationGrid(
  wholes: readonly { readonly of: WholeRepresentation; readonly width: number }[],
  { dims, types }: GridAxes,
): GridPoint[] {
  return wholes.flatMap(({ of, width }) =>
    (dims ?? commonDims(width))
      .filter((dimensions) => dimensions <= width)
      .flatMap((dimensions) =>
        types.map((type): GridPoint => {
          const isWhole = dimensions === width
          const representation: Representation =
            isWhole && type === 'float32' ? of : { kind: 'sized', of, type, ...(isWhole ? {} : { dimensions }) }
          return { representation, dimensions, type, bytes: vectorBytes(dimensions, type) }
        }),
      ),
  )
}

/** Powers of two from 32 on, and the whole width. */
export function commonDims(width: number): number[] {
  const powers: number[] = []
  for (let dimensions = 32; dimensions < width; dimensions *= 2) powers.push(dimensions)
  return [...powers, width]
}

/** Bytes of one vector of `width` numbers. */
export function vectorBytes(width: number, type: VectorType): number {
  switch (type) {
    case 'float32':
      return 4 * width
    case 'float16':
      return 2 * width
    case 'int8':
    case 'uint8':
      return width
    case 'binary':
    case 'ubinary':
      return packedWidth(width)
    default:
      return type satisfies never
  }
}
