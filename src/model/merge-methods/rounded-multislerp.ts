/**
 * multislerp with every step rounded to the type of the tensors, as mergekit 0.1.4 computes it. Sums over the inputs
 * run wider and are rounded once.
 */
import { fault } from '#core'
import type { Block, Kernel, TensorTask } from './method.ts'

export interface RoundedMultislerp {
  readonly weights: readonly number[]
  readonly normalized: boolean
  readonly eps: number
}

/**
 * Four passes: lengths of the inputs, length of the mean direction, each input's product with it, length of the step
 * along the tangent.
 */
export function roundedMultislerp(
  { name, inputs: models, round }: TensorTask,
  { weights: given, normalized, eps }: RoundedMultislerp,
): Kernel {
  const rounded = given.map(round)
  const sum = round(rounded.reduce((all, weight) => all + weight, 0))
  const weights = normalized ? rounded.map((weight) => round(weight / sum)) : rounded
  const members = weights.map((_, k) => k)
  const [squares, products] = [new Float64Array(models), new Float64Array(models)]
  const [norms, lengths, dots] = [new Float64Array(models), new Float64Array(models), new Float64Array(models)]
  let [meanSquare, meanNorm, tangentSquare] = [0, 0, 0]
  let steps: { readonly along: number; readonly aside: number; readonly scale: number } | undefined

  const change = ({ base, inputs }: Block, k: number, i: number): number => {
    const value = inputs[k]![i]!
    return base === undefined ? value : round(value - base[i]!)
  }
  const unit = (block: Block, k: number, i: number): number => round(change(block, k, i) / lengths[k]!)
  const meanAt = (block: Block, i: number): number =>
    round(members.reduce((all, k) => all + round(unit(block, k, i) * weights[k]!), 0))
  const directionAt = (block: Block, i: number): number => round(meanAt(block, i) / meanNorm)
  const tangentAt = (block: Block, i: number, direction: number): number =>
    round(
      members.reduce((all, k) => all + round(round(unit(block, k, i) - round(dots[k]! * direction)) * weights[k]!), 0),
    )
  /** The mean has no direction: of two inputs the straight line is taken. */
  const straight = (): boolean => meanNorm < round(eps)

  return {
    grain: 1,
    passes: [
      (block) => {
        for (const k of members) for (let i = 0; i < block.length; i++) squares[k]! += change(block, k, i) ** 2
      },
      (block) => {
        if (block.offset === 0) {
          norms.set(squares.map((square) => round(Math.sqrt(square))))
          lengths.set(norms.map((norm) => round(norm + eps)))
        }
        for (let i = 0; i < block.length; i++) meanSquare += meanAt(block, i) ** 2
      },
      (block) => {
        if (block.offset === 0) meanNorm = round(Math.sqrt(meanSquare))
        if (straight()) {
          if (models > 2)
            throw fault('tensor.value', {
              place: name,
              what: 'the directions of the inputs cancel out: there is no mean direction',
            })
          return
        }
        for (let i = 0; i < block.length; i++) {
          const direction = directionAt(block, i)
          for (const k of members) products[k]! += round(unit(block, k, i) * direction)
        }
      },
      (block) => {
        if (straight()) return
        if (block.offset === 0) dots.set(products.map(round))
        for (let i = 0; i < block.length; i++) tangentSquare += tangentAt(block, i, directionAt(block, i)) ** 2
      },
    ],
    output(block, out) {
      if (steps === undefined) {
        const angle = round(round(Math.sqrt(tangentSquare)) + eps)
        const scale = round(members.reduce((all, k) => all + round(norms[k]! * weights[k]!), 0))
        steps = { along: round(Math.cos(angle)), aside: round(round(Math.sin(angle)) / angle), scale }
      }
      const { along, aside, scale } = steps
      for (let i = 0; i < block.length; i++) {
        const own = block.base?.[i]
        let value: number
        if (straight())
          value = round(round(change(block, 0, i) * weights[0]!) + round(change(block, 1, i) * weights[1]!))
        else {
          const direction = directionAt(block, i)
          value = round(round(round(direction * along) + round(tangentAt(block, i, direction) * aside)) * scale)
        }
        out[i] = own === undefined ? value : round(value + own)
      }
    },
  }
}
