/** A distillation before it runs, and afterwards. */
import type { TableDtype } from '#model/distill'
import type { VocabularyCounts } from '#model/tokenizer'
import type { CorpusStep } from './corpus-steps.ts'
import type { CorpusPlan } from './distil-corpus.ts'
import type { TokenPooling } from './distil-settings.ts'

export interface DistilPlan {
  readonly model: string
  readonly representation: string
  readonly pooling: TokenPooling
  readonly tokens: number
  /** Rows of the table, where tokens share them. */
  readonly clusters: number | undefined
  readonly counts: VocabularyCounts
  /** Width of the model's state. */
  readonly stateWidth: number
  /** Undefined where a share of the variance decides it. */
  readonly width: number | undefined
  readonly dtype: TableDtype
  readonly corpus: CorpusPlan | undefined
  /** Bytes of the tensors. */
  readonly bytes: number | undefined
  readonly modelBytes: number
  readonly workingBytes: number
  readonly notes: readonly string[]
}

export interface Distilled extends DistilPlan {
  readonly folder: string
  readonly width: number
  readonly bytes: number
  /** Share of the variance that the components explain; null without them. */
  readonly explained: number | null
  /** Steps that were tried with the corpus. */
  readonly steps: readonly CorpusStep[]
}
