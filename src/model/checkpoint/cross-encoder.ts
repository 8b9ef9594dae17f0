/**
 * Rerankers: a head that scores pairs of texts, for classifiers, pooled states and language models alike
 * (sentence-transformers 6.2 `CrossEncoder.predict`).
 */
import { fault, matrix, type Matrix, type Progress, type Reranker } from '#core'
import { activate } from './dense-activations.ts'
import type { ModelSettings } from '#model/passes'
import { type Head, type HeadParts, lastTokenHead, pooledHead, sequenceHead } from './head-rows.ts'
import { applyModules, laterWidth } from './module-steps.ts'
import type { PairHead, PairModules } from './pair-modules.ts'
import type { PairReading } from './pair-reading.ts'
import { pairRows } from './pair-rows.ts'

export interface CrossEncoderParts extends HeadParts {
  readonly settings: ModelSettings
  readonly modules: PairModules
  readonly reading: PairReading
}

const counted: Pick<Progress, 'stage' | 'unit'> = { stage: 'rerank', unit: 'pairs' }

/**
 * One label: its activated score. Two: the share of the second in their softmax (`apply_softmax`). Throws
 * `config.unsupported` for more, of which none is called relevance.
 */
export function openCrossEncoder({ modules, reading, settings, ...parts }: CrossEncoderParts): Reranker {
  const { name, tokenizer } = parts
  const head = openHead(modules.head, { ...parts, settings })
  const width = scoreWidth(modules, head.width)
  if (width > 2)
    throw fault('config.unsupported', {
      place: name,
      what: 'a head of several labels does not say which of them is relevance',
      seen: width,
      wanted: 'one label, or two',
      hint: 'a task of sequence classification asks the head',
    })
  const act = activate(reading.activation)
  return {
    name,
    async score(pairs, options = {}) {
      const rows = await pairRows(tokenizer, pairs, reading, options.signal)
      const logits = await head.run(rows, { ...options, counted })
      const { data } = applyModules(modules.later, modules.head.kind === 'token' ? oddsOf(logits) : logits)
      const logit = (row: number, label: number): number => Math.fround(act(data[row * width + label] ?? NaN))
      return Float32Array.from(pairs, (_, row) =>
        width === 1 ? logit(row, 0) : 1 / (1 + Math.exp(logit(row, 0) - logit(row, 1))),
      )
    },
  }
}

/** Numbers per pair before the activation, from what the head gives. */
export function scoreWidth({ head, later }: PairModules, width: number): number {
  return laterWidth(later, head.kind === 'token' ? 1 : width)
}

function openHead(head: PairHead, parts: HeadParts & { readonly settings: ModelSettings }): Head {
  switch (head.kind) {
    case 'sequence':
      return sequenceHead(parts)
    case 'pooled':
      return pooledHead({ ...parts, settings: { ...parts.settings, pooling: head.pooling } })
    case 'token':
      return lastTokenHead(parts, head.no === undefined ? [head.yes] : [head.yes, head.no])
    default:
      return head satisfies never
  }
}

/** The first logit less the second, where there is one. */
function oddsOf({ rows, width, data }: Matrix): Matrix {
  const odds = matrix(rows, 1)
  for (let r = 0; r < rows; r++)
    odds.data[r] = (data[r * width] ?? NaN) - (width === 1 ? 0 : (data[r * width + 1] ?? NaN))
  return odds
}
