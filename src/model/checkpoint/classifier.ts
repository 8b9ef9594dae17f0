/** The head of a sequence classifier: texts → one logit a label. */
import type { SequenceClassifier } from '#core'
import type { ModelSettings } from '#model/passes'
import { type HeadParts, sequenceHead } from './head-rows.ts'
import { tokenRows } from './pooled-encoder.ts'
import { choosePrompt, type PromptChoice } from './prompts.ts'
import { sharedRows } from './shared-rows.ts'

export interface ClassifierParts extends HeadParts {
  readonly settings: ModelSettings
  readonly prompts: PromptChoice
}

/** All classifiers of this process share it. */
const rowsOnce = sharedRows()

/** Nothing is stored: a text's logits are computed on request. */
export function openClassifier({ settings, prompts, ...parts }: ClassifierParts): SequenceClassifier {
  const { spec, tokenizer } = parts
  const head = sequenceHead(parts)
  return {
    labels: spec.labels ?? Array.from({ length: head.width }, (_, i) => `LABEL_${i}`),
    async logits(texts, options = {}) {
      const prompt = choosePrompt(prompts, options)
      const rows = await rowsOnce(texts, { ...settings, identity: tokenizer.identity, prompt }, () =>
        tokenRows(tokenizer, texts, prompt, settings),
      )
      return head.run(rows, { ...options, counted: { stage: 'classify', unit: 'texts' } })
    },
  }
}
