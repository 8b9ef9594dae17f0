/** Published scores, as results to compare with. */
import type { Scores } from '#core'

export interface PublishedScores {
  readonly model: string
  readonly revision: string
  /** Repository and commit, or a note that the model card reports the score. */
  readonly source: string
  /** Task → its scores, and the version of mteb that made them where it is known. Languages are not included. */
  readonly tasks: ReadonlyMap<string, { readonly version: string | null; readonly scores: Scores }>
}

interface Entry {
  readonly model: string
  readonly revision: string
  readonly source: string
  readonly tasks: Readonly<
    Record<string, { version: string | null; scores: Readonly<Record<string, Readonly<Record<string, number>>>> }>
  >
}

let read: Promise<readonly PublishedScores[]> | undefined

export function publishedScores(): Promise<readonly PublishedScores[]> {
  read ??= import('./published.json', { with: { type: 'json' } }).then(({ default: file }) =>
    (file as unknown as { entries: readonly Entry[] }).entries.map(published),
  )
  return read
}

/**
 * Published scores of a model: those of the same revision first, then other revisions, then those on the model card.
 *
 * @example
 * ```ts
 * import { publishedOf } from 'strata-lm/ledger'
 *
 * const [published] = await publishedOf('sentence-transformers/all-MiniLM-L6-v2', 'main')
 * console.log(published?.tasks.has('STS17')) // → true
 * ```
 */
export async function publishedOf(model: string, revision: string): Promise<PublishedScores[]> {
  const last = new Map([
    ['no_revision_available', 2],
    ['external', 3],
  ])
  const rank = (one: PublishedScores): number => (one.revision === revision ? 0 : (last.get(one.revision) ?? 1))
  return (await publishedScores()).filter((one) => one.model === model).sort((a, b) => rank(a) - rank(b))
}

function published({ model, revision, source, tasks }: Entry): PublishedScores {
  return {
    model,
    revision,
    source,
    tasks: new Map(
      Object.entries(tasks).map(([task, { version, scores }]) => [
        task,
        {
          version,
          scores: Object.fromEntries(
            Object.entries(scores).map(([split, subsets]) => [
              split,
              Object.entries(subsets).map(([subset, score]) => ({
                main_score: score,
                hf_subset: subset,
                languages: [],
              })),
            ]),
          ),
        },
      ]),
    ),
  }
}
