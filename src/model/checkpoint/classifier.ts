/** The head of a sequence classifier: texts → one logit a label. */
import { fault, type SequenceClassifier } from '#core'
import type { ModelSpec } from '#model/architectures'
import type { Tokenizer } from '#model/tokenizer'
import { forwardPooled, type ModelSettings, type Graphs } from '#model/passes'
import { countBatches, tokenRows } from './pooled-encoder.ts'
import { choosePrompt, type PromptChoice } from './prompts.ts'
import { sharedRows } from './shared-rows.ts'

export interface ClassifierParts {
  readonly name: string
  readonly spec: ModelSpec
  readonly settings: ModelSettings
  readonly prompts: PromptChoice
  readonly graphs: Graphs
  readonly tokenizer: Tokenizer
  readonly budget: number
}

/** All classifiers of this process share it. */
const rowsOnce = sharedRows()

/** Nothing is stored: a text's logits are computed on request. */
export function openClassifier({
  name,
  spec,
  settings,
  prompts,
  graphs,
  tokenizer,
  budget,
}: ClassifierParts): SequenceClassifier {
  const request = { logits: 'sequence', inputs: ['token_type_ids'] } as const
  const output = graphs.outputs(request).find(({ kind }) => kind === 'logits')
  if (output === undefined) throw fault('internal', { place: name, what: 'the graph gives no logits' })
  const { name: outputName, width } = output
  const labels = spec.labels ?? Array.from({ length: width }, (_, i) => `LABEL_${i}`)
  return {
    labels,
    async logits(texts, options = {}) {
      const { signal, onProgress } = options
      const prompt = choosePrompt(prompts, options)
      const rows = await rowsOnce(texts, { ...settings, identity: tokenizer.identity, prompt }, () =>
        tokenRows(tokenizer, texts, prompt, settings),
      )
      const { graph, session, workers } = await graphs.open(request, { batches: countBatches(rows, budget) })
      let done = 0
      const [data = new Float32Array(0)] = await forwardPooled(session, rows, [{ output: outputName, width }], {
        budget: Math.ceil(budget / workers),
        workers,
        padId: spec.padId ?? tokenizer.padId ?? 0,
        promptTokens: 0,
        inputs: new Set(graph.inputs.map((input) => input.name)),
        signal,
        onBatch: (count) =>
          onProgress?.({ stage: 'classify', done: (done += count), total: texts.length, unit: 'texts' }),
      })
      return { rows: texts.length, width, data }
    },
  }
}
