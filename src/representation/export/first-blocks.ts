/** Where a model is cut so that the state asked for comes out of it last. */
import { fault } from '#core'
import type { ModelSpec } from '#model/architectures'
import type { FinalNorm } from '#model/passes'
import type { Reading } from './reading.ts'

interface Obstacle {
  readonly what: string
  readonly hint: string
}

/**
 * Why no cut model ends with state h, its final norm and its last projection standing behind whatever block is the
 * last; undefined where one does.
 */
export function whyNotLast(h: number, finalNorm: FinalNorm, { final, layers }: ModelSpec): Obstacle | undefined {
  if (h === layers && (final.lastState === 'normed' || finalNorm === 'always')) return undefined
  if (h === 0)
    return { what: 'the embedding output is not a checkpoint: a config has at least one block', hint: '--as onnx' }
  if (final.project !== undefined)
    return { what: 'the model projects its last state, so that an inner one cannot come last', hint: '--as onnx' }
  if (!final.norm || finalNorm === 'always') return undefined
  return {
    what: 'the state is taken before the final norm, and a checkpoint ends with that norm',
    hint: '--final-norm always if the normed state is meant; --as onnx',
  }
}

/**
 * Blocks of a model whose last state is the one that is read. Throws `usage.conflict`, with the reason, where there is
 * none.
 */
export function blocksFor({ name, seen, finalNorm }: Reading, spec: ModelSpec): number {
  const refuse = (obstacle: Obstacle): never => {
    throw fault('usage.conflict', { place: name, ...obstacle })
  }
  switch (seen.kind) {
    case 'last':
      return spec.layers
    case 'state': {
      const obstacle = whyNotLast(seen.h, finalNorm, spec)
      return obstacle === undefined ? seen.h : refuse(obstacle)
    }
    case 'mix':
      return refuse({
        what: `a ${seen.mix.kind} of layers is not a checkpoint: its classes give states of one block`,
        hint: '--as sentence-transformers or --as onnx',
      })
    default:
      return seen satisfies never
  }
}
