/** Progress of long work, as a value; only `cli` draws it. */

export interface Progress {
  /** The current activity, e.g. `encode`, `download model.safetensors`. */
  readonly stage: string
  readonly done: number
  readonly total: number | undefined
  readonly unit:
    | 'texts'
    | 'tokens'
    | 'bytes'
    | 'tasks'
    | 'blocks'
    | 'queries'
    | 'documents'
    | 'tensors'
    | 'runs'
    | 'trials'
    | 'points'
    | 'pairs'
  /**
   * What takes the time, where one of the `unit` may take far longer than another: the time left goes by this. `total`
   * may be an estimate.
   */
  readonly work?: { readonly done: number; readonly total: number } | undefined
}

export type OnProgress = (progress: Progress) => void
