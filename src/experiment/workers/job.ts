/** Work that several processes share, known only by name and cost. */

export interface Job {
  /** Content address: the same work has the same id. Safe as a file name. */
  readonly id: string
  /** Jobs of a group share an expensive resource; a worker takes them one after another. */
  readonly group: string
  /** An estimate, for the time left and for packing jobs into a walltime. */
  readonly seconds: number
}

export interface Outcome {
  readonly state: 'done' | 'failed'
  /** Why it failed. */
  readonly what?: string | undefined
}

/** The record of a finished job. */
export interface Finished extends Outcome {
  readonly id: string
  readonly worker: string
  readonly seconds: number
  /** Milliseconds since 1970, by the worker's own clock. */
  readonly at: number
}
