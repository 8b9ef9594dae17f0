/** What an evaluation may ask of a model – the second seam: three kinds of question, siblings of one another. A layer, a mix of layers, a static table, a merge, a server: all the same to a task. */
import type { Matrix } from './matrix.ts'
import type { OnProgress } from './progress.ts'

/** Side of an asymmetric task; symmetric tasks pass none. */
export type PromptType = 'query' | 'document'

/** Who asks: prompts may be keyed by a task's name and type, and models that take instructions are told what the task says of itself. */
export interface AskingTask {
  name: string
  type: string
  /** The task's own instruction, by side where it has sides. */
  prompt?: string | Readonly<Record<string, string>> | undefined
  /** What tasks of its protocol say that have none of their own. */
  genericPrompt?: string | undefined
}

/** How any long call is stopped and watched. An aborted call throws `run.cancelled`. */
export interface CallOptions {
  signal?: AbortSignal | undefined
  onProgress?: OnProgress | undefined
}

export interface AskOptions extends CallOptions {
  promptType?: PromptType | undefined
  task?: AskingTask | undefined
}

/** Texts to vectors. */
export interface Embedder {
  /** Representation name as in results: `default`, `h3`, … */
  readonly representation: string
  readonly width: number
  /** [texts × width], in order; an empty text keeps its row. */
  embed(texts: readonly string[], options?: AskOptions): Promise<Matrix>
  /** Makes and keeps the vectors of texts that will be asked soon, beside whatever is asked now; absent where nothing is kept. */
  prepare?(texts: readonly string[], options?: AskOptions): Promise<void>
}

/** Texts to logits of the model's own head. */
export interface SequenceClassifier {
  /** Names of the columns (config.json `id2label`). */
  readonly labels: readonly string[]
  /** [texts × labels], in order. */
  logits(texts: readonly string[], options?: AskOptions): Promise<Matrix>
}

/** A text whose probability is asked, after another one. */
export interface Continuation {
  /** May be empty: then the model's beginning-of-text token stands before the continuation. */
  readonly context: string
  readonly continuation: string
}

export interface ContinuationScore {
  /** Natural logarithm of the continuation's probability given its context, in nats, summed over its tokens. */
  readonly logLikelihood: number
  /** Whether greedy decoding of the context would have written it. */
  readonly isGreedy: boolean
}

/** Where generation ends and how tokens are drawn; names and defaults of lm-evaluation-harness (`gen_kwargs`). */
export interface GenerateOptions extends CallOptions {
  /** The text ends before the first of these. */
  until?: readonly string[] | undefined
  maxTokens?: number | undefined
  /** 0 (default): the most probable token, always. */
  temperature?: number | undefined
  topK?: number | undefined
  topP?: number | undefined
  seed?: number | undefined
}

/** The three requests of lm-evaluation-harness (`loglikelihood`, `loglikelihood_rolling`, `generate_until`); answers come in the order of the requests. */
export interface LanguageModel {
  logLikelihoods(requests: readonly Continuation[], options?: CallOptions): Promise<ContinuationScore[]>
  /** Natural logarithm of each whole text's probability, in nats; texts longer than the model's window are cut into windows that overlap by one token. */
  rollingLogLikelihoods(texts: readonly string[], options?: CallOptions): Promise<number[]>
  /** What the model writes after each prompt. */
  generate(prompts: readonly string[], options?: GenerateOptions): Promise<string[]>
}
