/** A row while it is gathered from files: one model, seen through one representation. */
import type { Scores } from '#core'
import type { Listed } from '#result/ledger'
import type { Contender } from '#result/statistics'

/** The model, revision and representation of a row. */
export interface Identity {
  readonly model: string
  readonly revision: string
  readonly representation: string
}

/** A scored row: a model, seen through a representation. */
export interface Scored extends Contender, Identity {
  readonly parameters: number | undefined
  /** Folder of each finished task, which contains its single items. */
  readonly roots: ReadonlyMap<string, string>
  /** Representation under which each finished task is stored: mixes of one recipe differ from task to task. */
  readonly stored: ReadonlyMap<string, string>
  /** Task → code of its failure. */
  readonly codes: ReadonlyMap<string, string>
  /** Seconds of scoring, by task. */
  readonly seconds: ReadonlyMap<string, number>
}

export interface Draft extends Identity {
  readonly parameters: number | undefined
  readonly scores: Map<string, Scores>
  readonly roots: Map<string, string>
  readonly stored: Map<string, string>
  readonly codes: Map<string, string>
  readonly seconds: Map<string, number>
  readonly reasons: Map<string, string>
  /** What its results say of how the layers were combined. */
  combination?: unknown
}

export function keyOf({ model, revision, representation }: Identity): string {
  return `${model}\n${revision}\n${representation}`
}

/** The draft of this identity, an empty one if there is none. */
export function draftIn(
  drafts: Map<string, Draft>,
  { model, revision, representation, parameters }: Identity & Pick<Listed, 'parameters'>,
): Draft {
  const key = keyOf({ model, revision, representation })
  const found = drafts.get(key)
  if (found !== undefined) return found
  const draft = {
    parameters,
    model,
    revision,
    representation,
    scores: new Map(),
    roots: new Map(),
    stored: new Map(),
    codes: new Map(),
    seconds: new Map(),
    reasons: new Map(),
  }
  drafts.set(key, draft)
  return draft
}
