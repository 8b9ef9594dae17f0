/**
 * What an evaluation may ask of a model – the second seam: kinds of question, siblings of one another. A layer, a mix of
 * layers, a static table, a merge, a server: all the same to a task.
 */
import type { Matrix } from './matrix.ts'
import type { OnProgress } from './progress.ts'

/** Side of an asymmetric task; symmetric tasks pass none. */
export type PromptType = 'query' | 'document'

/**
 * Who asks: prompts may be keyed by a task's name and type, and models that take instructions are given the task's own
 * description.
 */
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

/** Texts whose vectors are part of a calibration set, and how they are asked for. */
export interface Calibration extends Pick<AskOptions, 'promptType' | 'task'> {
  readonly texts: readonly string[]
}

/** Texts to vectors. */
export interface Embedder {
  /** Representation name as in results: `default`, `h3`, … */
  readonly representation: string
  readonly width: number
  /** [texts × width], in order; an empty text keeps its row. */
  embed(texts: readonly string[], options?: AskOptions): Promise<Matrix>
  /**
   * Computes and stores vectors of texts that will be needed soon, alongside current requests; absent where nothing is
   * stored.
   */
  prepare?(texts: readonly string[], options?: AskOptions): Promise<void>
  /**
   * The same embedder for a calibration set, whose vectors decide the ranges of quantised ones; absent where a vector
   * depends on its text alone. Without it, every call is its own calibration set.
   */
  calibrate?(groups: Iterable<Calibration>, options?: CallOptions): Promise<Embedder>
  /** True where every number of a vector is 0 or 1. */
  readonly isBits?: boolean | undefined
  /** Present where the first documents of a search are put in order once more, by vectors of the queries from `embed`. */
  readonly rescore?: Rescore | undefined
}

export interface Rescore {
  /** Documents of a query that are put in order. */
  readonly candidates: number
  /** Vectors before they were coded. */
  embed(texts: readonly string[], options?: AskOptions): Promise<Matrix>
}

/** Texts to logits of the model's own head. */
export interface SequenceClassifier {
  /** Names of the columns (config.json `id2label`). */
  readonly labels: readonly string[]
  /** [texts × labels], in order. */
  logits(texts: readonly string[], options?: AskOptions): Promise<Matrix>
}

/** Pairs of texts to scores. */
export interface Reranker {
  /** For the name of a result: what it is called next to the representation whose search it follows. */
  readonly name: string
  /** One score per pair, in order: the higher, the more relevant is the document to the query. */
  score(pairs: readonly (readonly [query: string, document: string])[], options?: AskOptions): Promise<Float32Array>
}

/** Texts by their number, which may lie on disk. */
export interface SearchedTexts {
  readonly length: number
  at(indexes: ArrayLike<number>): readonly string[]
}

export interface SearchRequest {
  readonly queries: readonly string[]
  readonly documents: SearchedTexts
  /** Language of the texts: `eng-Latn`. */
  readonly languages: readonly string[]
  /** Document → queries that ask for it; undefined: every query asks for all. */
  readonly askers?: ReadonlyMap<number, readonly number[]> | undefined
}

/** Scores of a query for the documents `start` … `start + scores.length − 1`; the array is used again. */
export type OnScores = (query: number, start: number, scores: Float32Array) => void

/** Searches a corpus by more than one vector per text: counted words, vectors of tokens, weights of words. */
export interface Searcher {
  readonly representation: string
  /**
   * True where mteb searches the whole corpus and then picks a query's candidates among the documents found, so that
   * candidates further down have no score.
   */
  readonly cutsFirst?: true | undefined
  /** Reports the score of every pair that is asked for, at most once, in any order; other pairs may come along. */
  search(request: SearchRequest, onScores: OnScores, options?: AskOptions): Promise<void>
}

/** A text whose probability is asked, after another one. */
export interface Continuation {
  /** May be empty: then the model's prefix token stands before the continuation. */
  readonly context: string
  readonly continuation: string
}

export interface ContinuationScore {
  /** Natural logarithm of the continuation's probability given its context, in nats, summed over its tokens. */
  readonly logLikelihood: number
  /** Whether greedy decoding of the context would have written it. */
  readonly isGreedy: boolean
  /** Tokens that the model's window had no room for; they are lost from the context's beginning. */
  readonly droppedTokens: number
}

/** How probable a text's tokens are, each given those before it, in nats. */
export interface TokenScores {
  readonly ids: Int32Array
  /** [tokens]; NaN for the first one, which nothing precedes. */
  readonly logProbabilities: Float32Array
  /** [tokens + 1]: the most probable id at each place, −1 at the first; the last one follows the text. */
  readonly best: Int32Array
  /** [tokens + 1]; NaN at the first place. */
  readonly bestLogProbabilities: Float32Array
}

/** A text that the model wrote. */
export interface Generation {
  /** Without the prompt, and without the stop string that ended it. */
  readonly text: string
  /** What ended it: a stop string, the model's own end of text, or the most tokens allowed. */
  readonly end: 'stop' | 'end-of-text' | 'length'
  /** Tokens of the prompt that the window had no room for; they are lost from its beginning. */
  readonly droppedTokens: number
  /**
   * Tokens of the prompt as the model got it, and tokens that it wrote, the end of text not among them; absent where
   * nobody counts them.
   */
  readonly tokens?: { readonly prompt: number; readonly written: number } | undefined
}

/** One turn of a chat. */
export interface ChatTurn {
  readonly role: string
  readonly content: string
}

/** How a chat becomes a prompt. */
export interface ChatPromptOptions {
  /** The last turn is an answer that the model continues; otherwise the template opens a new one. */
  readonly continueLast?: boolean | undefined
}

/** A token that a tokenizer adds or a model ends with. */
export interface NamedToken {
  readonly text: string
  readonly id: number
}

/** What a harness's result files say of a language model. */
export interface LanguageModelFacts {
  readonly name: string
  /** Commit, or a hash of the folder's content. */
  readonly revision: string
  /** Whatever can move an answer, as a hash: weights, tokenizer, settings; answers are kept under it. */
  readonly identity: string
  /** Unknown of a model that a server runs. */
  readonly parameters: number | undefined
  /** Arithmetic of the forward pass (`float32`). */
  readonly dtype: string
  /** Where it is computed, where Strata does so. */
  readonly device?: string | undefined
  /** Tokens that context and continuation share. */
  readonly window: number
  readonly beginOfText: NamedToken | undefined
  readonly endOfText: NamedToken | undefined
  readonly padding: NamedToken | undefined
  readonly chatTemplate: string | undefined
  /** Lines for settings of generation that its files name and nothing follows. */
  readonly unread?: readonly string[] | undefined
}

/** How a language model is asked. */
export interface LanguageModelCall<Answer> extends CallOptions {
  /**
   * False for prompts that a chat template wrote: it puts the tokenizer's special tokens itself. Default: as the
   * tokenizer does.
   */
  addSpecialTokens?: boolean | undefined
  /** Every answer as soon as it is there, in any order, by the request's index; for those who keep them. */
  onAnswer?: ((index: number, answer: Answer) => void) | undefined
  /**
   * Requests that the caller has an answer to: what would run for them alone does not, and they may come again or stay
   * out of the answers. The others are answered to the last bit as if all had been asked, for a sum in float32 depends
   * on what it is run with.
   */
  isKnown?: ((index: number) => boolean) | undefined
}

/** How log-likelihoods are asked. */
export interface ScoreCall extends LanguageModelCall<ContinuationScore> {
  /**
   * A request whose continuation has more tokens than the window has room for; called before anything runs. Such
   * requests get no answer and have a hole in the list of answers. Without it, they are a `usage.value` fault.
   */
  onTooLong?: ((index: number, size: { readonly tokens: number; readonly room: number }) => void) | undefined
}

/**
 * Where generation ends and how tokens are drawn; meanings and defaults are those of lm-evaluation-harness
 * (`gen_kwargs`).
 */
export interface GenerateOptions extends LanguageModelCall<Generation> {
  /** The text ends before the first of these. */
  until?: readonly string[] | undefined
  /** `max_gen_toks`; default 256. */
  maxTokens?: number | undefined
  /** 0 (default): the most probable token, always. */
  temperature?: number | undefined
  topK?: number | undefined
  topP?: number | undefined
  seed?: number | undefined
  /**
   * A prompt that leaves no room for `maxTokens`: it loses its beginning (default), or the answer is as long as the
   * window allows, and a prompt that fills it is refused.
   */
  longPrompts?: 'cut' | 'refuse' | undefined
  /**
   * The settled part of a text after each of its tokens, and finally all of it: whole characters, and nothing that may
   * yet be the beginning of a stop string.
   */
  onText?: ((index: number, text: string) => void) | undefined
  /** `generation_kwargs` word by word; a model that takes them goes by them, and by `seed`, alone. */
  kwargs?: Readonly<Record<string, unknown>> | undefined
}

/**
 * The three requests of lm-evaluation-harness (`loglikelihood`, `loglikelihood_rolling`, `generate_until`); answers
 * come in the order of the requests, and none depends on what else is asked.
 */
export interface LanguageModel {
  readonly facts: LanguageModelFacts
  /** It passes `kwargs` of `generate` on to the generator, and so accepts names that are not known here. */
  readonly takesKwargs?: boolean | undefined
  /** Why it can only generate, where it reports no log-probabilities. */
  readonly onlyWrites?: string | undefined
  logLikelihoods(requests: readonly Continuation[], options?: ScoreCall): Promise<ContinuationScore[]>
  /**
   * Natural logarithm of each whole text's probability, in nats; texts longer than the model's window are cut into
   * windows that overlap by one token.
   */
  rollingLogLikelihoods(texts: readonly string[], options?: LanguageModelCall<number>): Promise<number[]>
  /**
   * Texts, or their token ids, token by token; absent where an encoder reads them. Throws `usage.value` for one that
   * has no tokens, or more than the window.
   */
  tokenScores?(texts: readonly (string | Int32Array)[], options?: CallOptions): Promise<TokenScores[]>
  /** What the model writes after each prompt. */
  generate(prompts: readonly string[], options?: GenerateOptions): Promise<Generation[]>
  /**
   * A chat as the prompt that the model was trained on; absent where it has no template. Throws `usage.value` where the
   * template refuses the turns.
   */
  chatPrompt?(turns: readonly ChatTurn[], options?: ChatPromptOptions): string
}
