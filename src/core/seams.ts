/** What an evaluation may ask of a model – the second seam. A layer, a mix of layers, a static table, a merge: all the same to a task. */
import type { Matrix } from './matrix.ts'
import type { Progress } from './progress.ts'

/** Side of an asymmetric task; symmetric tasks pass none. */
export type PromptType = 'query' | 'document'

export interface EmbedOptions {
  promptType?: PromptType
  /** Name and type of the asking task: prompts may be keyed by them. */
  task?: { name: string; type: string }
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
}

/** Texts to vectors, one row a text, in order; an empty text keeps its row. */
export interface Embedder {
  /** Representation name as in results: `default`, `h3`, … */
  readonly representation: string
  readonly width: number
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Matrix>
}
