/** Requests for a graph, and the graph that is handed back. */
import type { TensorLocation } from '#core'
import type { HalfType } from './half-products.ts'
import type { IntegerWeights } from './integer-weights.ts'

/**
 * How token states become one vector, by the words of sentence-transformers and as it computes them; m is the pooling
 * mask.
 * `mean`                 Σ m·H / max(Σ m, 1e-9), zeros where nothing is pooled
 * `cls`                  first token whose attention mask is 1
 * `lasttoken`            last token with m = 1, zeros where there is none
 * `max`                  greatest over m = 1 (masked states count as -1e9)
 * `weightedmean`         as mean, weighted 1 … cols by column
 * `mean_sqrt_len_tokens` Σ m·H / √max(Σ m, 1e-9)
 */
export const poolModes = ['mean', 'cls', 'lasttoken', 'max', 'weightedmean', 'mean_sqrt_len_tokens'] as const
export type PoolMode = (typeof poolModes)[number]

/** Inputs besides `input_ids` and `attention_mask`; those left out take the reference's default. */
export const optionalInputs = ['token_type_ids', 'position_ids', 'pool_mask'] as const
export type OptionalInput = (typeof optionalInputs)[number]

export interface GraphRequest {
  /** Hidden states h = 0 … L. */
  readonly states?: readonly number[] | 'all'
  /** Token states of the requested h as `hidden_states.<h>` [rows × cols × width]. */
  readonly tokens?: boolean
  /**
   * Pooled vectors of the requested h as `pooled.<h>`, and of the last state as `pooled.last`; modes are concatenated
   * in this order.
   */
  readonly pool?: readonly PoolMode[]
  /** False leaves `pooled.last` out; blocks above the highest hidden state asked for are then not built. */
  readonly pooledLast?: boolean
  /** Token states after everything as `last_hidden_state`. */
  readonly lastState?: boolean
  /** `pooler_output` [rows × width]. */
  readonly pooler?: boolean
  /**
   * The language model's head at chosen tokens only, so that no [rows × cols × vocabulary] is made: input `picked`
   * [picks] with their places in rows · cols.
   * `logits`: `picked_logits` [picks × vocabulary]. `scores`: with the input `targets` [scored × 2], pairs of a pick
   * and an id, `log_probability` [scored × 1] of the id there, in nats, and `is_greedy` [scored × 1], 1 where no other
   * id is more probable (of equal ones the lowest counts). `best`: `log_probability` as before, and for each pick the
   * most probable id as `best_id` [picks × 1], a whole number in float32, with its `best_log_probability` [picks × 1].
   */
  readonly picked?: 'logits' | 'scores' | 'best'
  /**
   * Continues after tokens that passed before: inputs `past.<i>.key` and `.value` [rows × key heads × past × head
   * width] of every block (of a scan `.tail` and `.state`). `extend` outputs `present.<i>.…` with the new tokens added,
   * `append` the keys and values of the new ones alone (of a scan what follows). Who sees whom is the caller's: in
   * place of a mask, `visible` [rows × cols × (past + cols)] is 1 where a new token sees an old or new one
   * (`visible.<window>` for blocks of that window), `position_ids` are the new tokens' places, and where attention goes
   * by places `key_positions` [rows × (past + cols)] those of all. A scan has its `attention_mask`. Only for causal
   * models.
   */
  readonly past?: PastRequest
  /**
   * In place of everything else, the keys and values that the blocks of a decoder make of an encoder's states. Input
   * `source_states` [rows × source × width], outputs `source.<i>.key` and `.value` [rows × heads × source × head
   * width]. Those are inputs of all its other graphs, with `source_mask` [rows × source], 1 for tokens.
   */
  readonly source?: true
  /** `logits`; `auto` takes the head of the class the config names, or none. */
  readonly logits?: 'none' | 'auto' | 'sequence' | 'causal' | 'masked'
  /**
   * `words` [rows × vocabulary] of the masked-LM head, as `WordPooling` says; the logits of all tokens never exist at
   * once.
   */
  readonly words?: WordPooling
  /** Logits that are alive at once; default 2²², 16 MB. Infinity: those of all tokens. */
  readonly blockLogits?: number
  /**
   * `always` applies the model's final norm to every hidden state; `native` leaves them as transformers returns them.
   */
  readonly finalNorm?: 'native' | 'always'
  /**
   * Inputs that the caller will feed besides ids and mask. Those that the model has no use for do not become inputs;
   * see `Graph.inputs`.
   */
  readonly inputs?: readonly OptionalInput[]
  /**
   * `plain` gives the fused operator of rotary positions whole heads and a row for every token, which OpenVINO needs:
   * it overlooks a partial width and takes one first row for the row of all. The same bits as `fused` (default), which
   * copies less.
   */
  readonly rotary?: 'fused' | 'plain'
  /**
   * What tokens are multiplied with weights in: float32 (default), or 8-bit integers, with the weights stored as said.
   * Attention, heads over a text, the vocabulary and the choice of experts are float32 in any case. Or all products of
   * matrices in 16 bits, as `halfProducts` says.
   */
  readonly products?: 'float32' | IntegerWeights | HalfType
  /**
   * Scores of one head that are alive at once: longer texts attend by blocks of queries. Default 2²⁰, texts of 1,024
   * tokens; Infinity: never by blocks.
   */
  readonly blockScores?: number
  /** Element type of the inputs. */
  readonly integers?: 'int32' | 'int64'
}

/**
 * One number per id of the vocabulary for a text, over the tokens of its mask.
 * `max`        greatest logit, or 0
 * `sum`        Σ log(1 + relu(logit))
 * `sum-twice`  Σ log(1 + log(1 + relu(logit)))
 */
export type WordPooling = 'max' | 'sum' | 'sum-twice'

export type PastRequest = 'read' | 'extend' | 'append'

export interface GraphInput {
  readonly name:
    | 'input_ids'
    | 'attention_mask'
    | 'picked'
    | 'targets'
    | 'visible'
    | 'key_positions'
    | 'source_states'
    | 'source_mask'
    | OptionalInput
    | `past.${string}`
    | `source.${string}`
    | `visible.${number}`
  readonly dtype: 'int32' | 'int64' | 'float32'
  /** Axes that vary are named. */
  readonly dims: readonly (string | number)[]
}

export type OutputKind =
  | 'state'
  | 'pooled'
  | 'last'
  | 'pooled-last'
  | 'pooler'
  | 'logits'
  | 'words'
  | 'picked'
  | 'present'
  | 'source'

export interface GraphOutput {
  readonly name: string
  readonly kind: OutputKind
  /** Hidden state index of `state` and `pooled`. */
  readonly h?: number
  /** Size of the last axis. */
  readonly width: number
  /**
   * Whether there is one vector per token ([rows × cols × width]), per text ([rows × width]) or per requested id of a
   * picked token ([picks × width]); tensors of the past have axes of their own.
   */
  readonly per: 'token' | 'text' | 'pick' | 'past'
  /** Axes of an output with `per: 'past'`. */
  readonly dims?: readonly (string | number)[]
}

export interface Graph {
  /** An ONNX model, opset 20 with `com.microsoft` 1; to be loaded at optimisation level `basic`. */
  readonly model: Uint8Array
  /** External data: the location written in the model → the local file it stands for. */
  readonly externals: readonly { readonly location: string; readonly path: string }[]
  /** External data that lies in no file: merged, transposed or widened tensors. */
  readonly inline: readonly { readonly location: string; readonly data: Uint8Array }[]
  readonly inputs: readonly GraphInput[]
  readonly outputs: readonly GraphOutput[]
  /** What a person should know: tensors that are not used, inputs the model ignores. */
  readonly notes: readonly string[]
}

export interface GraphOptions {
  /**
   * Reads a tensor of any type as float32; needed for types the engine cannot cast itself (F8, F64, integers), and for
   * weights that become integers.
   */
  readonly readFloat32?: ((name: string) => Promise<Float32Array>) | undefined
  /**
   * Takes the bytes of a tensor that lies in no file and returns where they lie then; undefined: they stay in memory,
   * as all do without it. The bytes remain their source's.
   */
  readonly putInFile?: ((bytes: Uint8Array) => Promise<TensorLocation | undefined>) | undefined
}
