/** What every similarity is: a number for each pair of representations of the same texts. */
import { fault, type Matrix } from '#core'

/** Layers of one model or of two: [texts × width] each, rows aligned. */
export type Layers = readonly Matrix[]

export interface Similarity {
  /** As flags and files write it. */
  readonly name: string
  /** Its file in the folder of the similarity stage: `similarities/<title>.npy`. */
  readonly title: string
  /** Paper, or the program whose definition is followed. */
  readonly reference: string
  /** Range over any two layers; a layer compared with itself gets the upper end. */
  readonly range: readonly [number, number]
  readonly symmetric: boolean
  /** `equal`: coordinates are compared one by one, so that both layers need the same ones. */
  readonly widths: 'any' | 'equal'
  /**
   * [xs × ys]; with `ys` absent of the layers with themselves, where pairs that follow from others are not computed.
   */
  between(xs: Layers, ys?: Layers): Promise<Float64Array>
}

/** A similarity of two layers after each was made ready once: what `ready` returns is held for all layers. */
export function pairwise<Ready>({
  symmetric,
  ready,
  pair,
}: {
  symmetric: boolean
  ready: (layer: Matrix, side: 'x' | 'y') => Promise<Ready> | Ready
  pair: (x: Ready, y: Ready) => Promise<number> | number
}): Similarity['between'] {
  return async (xs, ys) => {
    const readied = async (layers: Layers, side: 'x' | 'y'): Promise<Ready[]> => {
      const made: Ready[] = []
      for (const layer of layers) made.push(await ready(layer, side))
      return made
    }
    const rows = await readied(xs, 'x')
    const columns = ys === undefined ? rows : await readied(ys, 'y')
    const out = new Float64Array(rows.length * columns.length)
    for (const [i, x] of rows.entries())
      for (const [j, y] of columns.entries()) {
        if (ys === undefined && symmetric && j < i) out[i * columns.length + j] = out[j * columns.length + i] ?? NaN
        else out[i * columns.length + j] = await pair(x, y)
      }
    return out
  }
}

/** Throws `usage.conflict` where a similarity of coordinates meets layers of unequal widths. */
export function checkWidths(name: string, xs: Layers, ys: Layers = xs): void {
  const [first, ...others] = [...xs, ...ys].map(({ width }) => width)
  const other = others.find((width) => width !== first)
  if (other === undefined) return
  throw fault('usage.conflict', {
    place: name,
    what: 'compares coordinates one by one, and the layers have unequal widths',
    seen: [first ?? 0, other],
    hint: 'cka, rsa, distance_correlation, svcca, pwcca, procrustes and mutual_knn take any widths',
  })
}
