/**
 * nuslerp with every step rounded to the type of the tensors, as mergekit 0.1.4 computes it: unit vectors, their
 * products, angle, sines, the weighted sum, the quotient.
 */
import type { Block, Kernel, TensorTask } from './method.ts'

const [smallestNorm, smallestSine] = [1e-7, 1e-8]

/** A vector of elements that are turned together: how many there are, and which one an element belongs to. */
export interface Grouping {
  readonly count: number
  readonly of: (element: number) => number
}

interface Mix {
  readonly own: number
  readonly other: number
  readonly divisor: number
}

export function roundedNuslerp({ round }: TensorTask, t: number, groups: Grouping): Kernel {
  const [squaresA, squaresB, products] = [
    new Float64Array(groups.count),
    new Float64Array(groups.count),
    new Float64Array(groups.count),
  ]
  const norms = [new Float64Array(groups.count), new Float64Array(groups.count)] as const
  let mixes: readonly Mix[] | undefined
  const change = ({ base, inputs }: Block, k: number, i: number): number => {
    const value = inputs[k]![i]!
    return base === undefined ? value : round(value - base[i]!)
  }
  const normOf = (square: number): number => Math.max(round(Math.sqrt(square)), round(smallestNorm))
  return {
    grain: 1,
    passes: [
      (block) => {
        for (let i = 0; i < block.length; i++) {
          const at = groups.of(block.offset + i)
          const [a, b] = [change(block, 0, i), change(block, 1, i)]
          squaresA[at]! += a * a
          squaresB[at]! += b * b
        }
      },
      (block) => {
        if (block.offset === 0) {
          norms[0].set(squaresA.map(normOf))
          norms[1].set(squaresB.map(normOf))
        }
        for (let i = 0; i < block.length; i++) {
          const at = groups.of(block.offset + i)
          products[at]! += round(
            round(change(block, 0, i) / norms[0][at]!) * round(change(block, 1, i) / norms[1][at]!),
          )
        }
      },
    ],
    output(block, out) {
      mixes ??= Array.from(products, (product) => mixAt(t, Math.min(1, Math.max(-1, round(product))), round))
      for (let i = 0; i < block.length; i++) {
        const { own, other, divisor } = mixes[groups.of(block.offset + i)]!
        const sum = round(round(own * change(block, 0, i)) + round(other * change(block, 1, i)))
        const turned = divisor === 1 ? sum : round(sum / divisor)
        out[i] = block.base === undefined ? turned : round(block.base[i]! + turned)
      }
    },
  }
}

function mixAt(t: number, cosine: number, round: (value: number) => number): Mix {
  const angle = round(Math.acos(cosine))
  const sine = round(Math.sin(angle))
  // in float16 the limit is 0 there, and parallel vectors give NaN: that is not followed
  if (Math.abs(sine) < smallestSine) return { own: 1 - t, other: t, divisor: 1 }
  return { own: round(Math.sin(round((1 - t) * angle))), other: round(Math.sin(round(t * angle))), divisor: sine }
}
