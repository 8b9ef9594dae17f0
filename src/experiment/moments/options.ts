/** What moments are asked of. */
import type { CallOptions } from '#core'
import type { FisherLabels } from '#model/gradient'
import type { TaskInfo } from '#task/rows'

/** `fisher`: of gradients, the diagonal of the Fisher information; `gram`: of what linear layers read. */
export type MomentKind = 'fisher' | 'gram'

/** Classes whose gradients count: one draw of the model per text, all by their probability, or those of the data. */
export type MomentLabels = FisherLabels

export interface MomentOptions extends CallOptions {
  readonly kind: MomentKind
  /** A task of the protocol `SequenceClassification`. */
  readonly task: TaskInfo
  readonly subset: string
  /** Default: `train`. */
  readonly split?: string | undefined
  /** Number of texts, drawn so that more of them hold the fewer. Default: 512. */
  readonly texts?: number | undefined
  /** Classes whose gradients count, for `fisher`. Default: `sampled`, one draw of the model per text. */
  readonly labels?: MomentLabels | undefined
  readonly seed?: number | undefined
  /** Tokens per text, the special ones included. Default: the tokenizer's own. */
  readonly maxLength?: number | undefined
  readonly offline?: boolean | undefined
}
