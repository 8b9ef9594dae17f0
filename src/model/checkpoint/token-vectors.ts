/** Vectors of a model's tokens, compared by MaxSim: those of a hidden state, or of a late-interaction model. */
import { matrix, type Matrix, type PromptType, type Searcher } from '#core'
import type { ModelSpec } from '#model/architectures'
import type { GraphRequest } from '#model/graph'
import { maxSimSearcher, projected, type TokenEncoder, type TokenVectors } from '#model/late-interaction'
import { forwardTokens, type Graphs, type ModelSettings } from '#model/passes'
import type { Tokenizer } from '#model/tokenizer'
import { type CountedRow, lateRows } from './late-rows.ts'
import { applyModules, laterWidth, type ModuleStep } from './module-steps.ts'
import { checkIds, countBatches, countPrompt, tokenRows } from './pooled-encoder.ts'
import { choosePrompt, type PromptChoice } from './prompts.ts'
import { tokensName } from './state.ts'

export interface TokenVectorParts {
  readonly spec: ModelSpec
  readonly settings: ModelSettings
  readonly prompts: PromptChoice
  readonly graphs: Graphs
  readonly tokenizer: Tokenizer
  readonly budget: number
}

/**
 * Search by state h of every token that a mean would count, of length 1: special tokens too, as pylate has it for a
 * model without settings of its own.
 */
export function stateSearcher(parts: TokenVectorParts, h: number): Searcher {
  const { settings, tokenizer } = parts
  const request: GraphRequest = { states: [h], tokens: true, finalNorm: settings.finalNorm }
  const encoder = tokenEncoder(parts, request, [{ kind: 'normalize' }], async (texts, prompt) => {
    const rows = await tokenRows(tokenizer, texts, prompt, settings)
    if (prompt === null || settings.includePrompt) return rows
    const skipped = await countPrompt(tokenizer, prompt, settings)
    return rows.map((row) => ({ ...row, counted: Int32Array.from(row.ids.keys()).subarray(skipped) }))
  })
  return maxSimSearcher(encoder, { representation: tokensName({ h }) })
}

/** Search by a late-interaction model as its folder has it; `later`: what its modules do to each token. */
export function lateSearcher(
  parts: TokenVectorParts,
  late: NonNullable<ModelSettings['lateInteraction']>,
  later: readonly ModuleStep[],
): Searcher {
  const request: GraphRequest = { states: [], lastState: true, finalNorm: parts.settings.finalNorm }
  const encoder = tokenEncoder(parts, request, later, lateRows(late, parts.settings, parts.tokenizer))
  return maxSimSearcher(encoder, { representation: 'default', isMean: late.isMean })
}

function tokenEncoder(
  { spec, prompts, graphs, tokenizer, budget }: TokenVectorParts,
  request: GraphRequest,
  steps: readonly ModuleStep[],
  read: (texts: readonly string[], prompt: string | null, side: PromptType) => Promise<readonly CountedRow[]>,
): TokenEncoder<CountedRow> {
  const asked: GraphRequest = { ...request, inputs: ['token_type_ids'] }
  const [slot] = graphs.outputs(asked).filter(({ per }) => per === 'token')
  const { name: output, width } = slot ?? { name: '', width: 0 }
  return {
    width: Math.max(width, laterWidth(steps, width)),
    async read(texts, side, { task }) {
      const rows = await read(texts, choosePrompt(prompts, { task, promptType: side }), side)
      checkIds(rows, spec)
      return rows
    },
    async encode(rows, { signal, onProgress }) {
      const { graph, session, workers } = await graphs.open(asked, { batches: countBatches(rows, budget) })
      const starts = startsOf(rows)
      const states = matrix(starts.at(-1) ?? 0, width)
      let done = 0
      await forwardTokens(
        session,
        rows,
        { output, width },
        {
          budget: Math.ceil(budget / workers),
          workers,
          padId: spec.padId ?? tokenizer.padId ?? 0,
          promptTokens: 0,
          inputs: new Set(graph.inputs.map((input) => input.name)),
          signal,
          onBatch: (count) =>
            onProgress?.({ stage: 'encode', done: (done += count), total: rows.length, unit: 'texts' }),
          onRow: (index, own) => copyCounted(own, rows[index]?.counted, states, starts[index] ?? 0),
        },
      )
      return { vectors: await afterSteps(steps, states), starts } satisfies TokenVectors
    },
  }
}

function startsOf(rows: readonly CountedRow[]): Int32Array {
  const starts = new Int32Array(rows.length + 1)
  rows.forEach(({ ids, counted = ids }, at) => {
    starts[at + 1] = (starts[at] ?? 0) + counted.length
  })
  return starts
}

function copyCounted(own: Float32Array, counted: Int32Array | undefined, { data, width }: Matrix, start: number): void {
  if (counted === undefined) data.set(own, start * width)
  else counted.forEach((token, i) => data.set(own.subarray(token * width, (token + 1) * width), (start + i) * width))
}

/** `applyModules` for as many rows as a corpus has tokens: plain products run on the engine, in float32. */
async function afterSteps(steps: readonly ModuleStep[], states: Matrix): Promise<Matrix> {
  let current = states
  for (const step of steps) {
    const isPlain = step.kind === 'dense' && step.activation === 'Identity' && step.residual === undefined
    laterWidth([step], current.width)
    current = isPlain
      ? await projected(current, matrix(step.outputs, step.inputs, step.weight), step.bias)
      : applyModules([step], current)
  }
  return current
}
