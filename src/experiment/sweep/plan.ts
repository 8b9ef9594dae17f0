/** The plan of a sweep: one entry per (task, representation), and its cost. A pure value that `--dry-run` prints. */
export type EntryState = 'run' | 'reused' | 'skipped' | 'failed before'

export interface PlanEntry {
  readonly task: string
  readonly representation: string
  readonly state: EntryState
  /** Why it runs again, or is reused. */
  readonly reason: string
}

/**
 * Cost of one task: texts in its rows, and those whose vectors are not stored yet. Undefined when the data set is not
 * on this machine.
 */
export interface TaskCost {
  readonly task: string
  readonly texts: number | undefined
  readonly missing: number | undefined
  /** Tokens of the missing texts, estimated from a sample of them, or, for a server, a quarter of their letters. */
  readonly tokens: number | undefined
  /** Counted in rows on this machine, taken from the reference's statistics, or unknown. */
  readonly from: 'rows' | 'registry' | 'unknown'
  /** The most that a second stage reads of its search, as `PlannedSecond` counts; absent where there is none. */
  readonly rerank?: number | 'unknown' | undefined
}

/** The prompt before the texts of a task; `side` is null for texts without one. */
export interface TaskPrompt {
  readonly task: string
  readonly side: 'query' | 'document' | null
  readonly prompt: string | null
  /** Source of the prompt: flag, model or task. */
  readonly from: string
  /** The task adapter that reads the texts; absent for a model that has none, or where none is chosen. */
  readonly adapter?: string | undefined
}

/** A server that is asked for the missing vectors. */
export interface PlannedServer {
  readonly place: string
  /** Rough: full batches, without the few texts that are asked to find out whether it can be believed. */
  readonly requests: number
}

/** A second stage of the searches. */
export interface PlannedSecond {
  readonly model: string
  /** What it searches by; null: it scores pairs. */
  readonly representation: string | null
  readonly top: number
  /** The most that it reads, cached or not: pairs, or texts by a representation; undefined without the data. */
  readonly most: number | undefined
  readonly memoryBytes: number
}

export interface Plan {
  readonly model: string
  readonly revision: string
  readonly states: number
  /** Present where a server is asked for the vectors. */
  readonly server?: PlannedServer | undefined
  readonly entries: readonly PlanEntry[]
  readonly costs: readonly TaskCost[]
  /** Bytes that one text's stored vectors take. */
  readonly bytesPerText: number
  /** All models that are open at once. */
  readonly memoryBytes: number
  readonly rerank?: PlannedSecond | undefined
  /**
   * Seconds of encoding, without a second stage, from the engine's measured speed on this machine; undefined when nothing is to be encoded. A
   * rough figure.
   */
  readonly seconds: number | undefined
  readonly prompts: readonly TaskPrompt[]
  readonly notices: readonly string[]
}
