/** The forward pass of a classifier over a pack of texts, with everything that the way back needs. */
import { type BertPass, bertForward } from './bert/forward.ts'
import type { Classifier } from './classifier.ts'
import { type LlamaPass, llamaForward } from './llama/forward.ts'
import type { TextPack } from './text-pack.ts'

export type ForwardPass = BertPass | LlamaPass

export async function forward(classifier: Classifier, pack: TextPack): Promise<ForwardPass> {
  switch (classifier.kind) {
    case 'bert':
      return bertForward(classifier, pack)
    case 'llama':
      return llamaForward(classifier, pack)
    default:
      return classifier satisfies never
  }
}
