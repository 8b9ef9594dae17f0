/** What an evaluation may ask of a model – the second seam. A layer, a mix of layers, a static table, a merge: all the same to a task. */
import type { Matrix } from './matrix.ts'
import type { Progress } from './progress.ts'

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

export interface EmbedOptions {
  promptType?: PromptType | undefined
  task?: AskingTask | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((progress: Progress) => void) | undefined
}

/** Texts to vectors, one row a text, in order; an empty text keeps its row. */
export interface Embedder {
  /** Representation name as in results: `default`, `h3`, … */
  readonly representation: string
  readonly width: number
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Matrix>
}

/** Texts to logits, one column a label. */
export interface SequenceClassifier extends Embedder {
  /** Names of the columns (config.json `id2label`). */
  readonly labels: readonly string[]
}
