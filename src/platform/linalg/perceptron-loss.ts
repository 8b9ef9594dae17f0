/** Losses of a network's outputs, and their derivatives, one row at a time. Logarithms are natural. */
import { fault } from '#core'

/**
 * `cross-entropy` of the softmax; `double-softmax`: cross-entropy of the softmax of the softmax, which is what feeding
 * probabilities to a loss that wants logits gives; `smooth-l1`: Huber's with its corner at 1, halved inside.
 */
export type PerceptronLoss = 'cross-entropy' | 'double-softmax' | 'smooth-l1'

/** In place: e^x over their sum. */
function softmaxInPlace(values: Float64Array): void {
  let largest = -Infinity
  for (const value of values) if (value > largest) largest = value
  let sum = 0
  for (let k = 0; k < values.length; k++) sum += values[k] = Math.exp(values[k]! - largest)
  for (let k = 0; k < values.length; k++) values[k]! /= sum
}

/** The loss of one row; `outputs` is overwritten by its derivative with respect to them. */
export function lossInPlace(loss: PerceptronLoss, outputs: Float64Array, target: number): number {
  switch (loss) {
    case 'smooth-l1': {
      const difference = outputs[0]! - target
      outputs[0] = Math.abs(difference) < 1 ? difference : Math.sign(difference)
      return Math.abs(difference) < 1 ? difference ** 2 / 2 : Math.abs(difference) - 0.5
    }
    case 'cross-entropy':
      return entropyInPlace(outputs, target)
    case 'double-softmax': {
      softmaxInPlace(outputs)
      const inner = outputs.slice()
      const value = entropyInPlace(outputs, target)
      let mean = 0
      for (let k = 0; k < inner.length; k++) mean += inner[k]! * outputs[k]!
      for (let k = 0; k < inner.length; k++) outputs[k] = inner[k]! * (outputs[k]! - mean)
      return value
    }
    default:
      throw fault('internal', { place: 'perceptron', what: 'no such loss', seen: loss satisfies never })
  }
}

/** −log softmax at `target`, which stays finite where the softmax is 0. */
function entropyInPlace(outputs: Float64Array, target: number): number {
  let largest = -Infinity
  for (const value of outputs) if (value > largest) largest = value
  let sum = 0
  for (const value of outputs) sum += Math.exp(value - largest)
  const normaliser = largest + Math.log(sum)
  const value = normaliser - outputs[target]!
  for (let k = 0; k < outputs.length; k++) outputs[k] = Math.exp(outputs[k]! - normaliser) - (k === target ? 1 : 0)
  return value
}
