/** The way back: gradients of the logits to squared gradients of every parameter, text by text. */
import type { Matrix64 } from '#core'
import { bertBackward } from './bert/backward.ts'
import type { ForwardPass } from './forward.ts'
import { llamaBackward } from './llama/backward.ts'
import type { BackwardOptions } from './way-back.ts'

/** Adds the squares of each text's gradients, given those of its logits: [texts × labels]. */
export async function backward(logits: Matrix64, { pass, ...rest }: BackwardOptions<ForwardPass>): Promise<void> {
  switch (pass.kind) {
    case 'bert':
      return bertBackward(logits, { pass, ...rest })
    case 'llama':
      return llamaBackward(logits, { pass, ...rest })
    default:
      return pass satisfies never
  }
}
