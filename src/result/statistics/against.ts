/** Comparison with published scores, another folder of results, or another model. */
import { stat } from 'node:fs/promises'
import { fault, nearest, type Result, type Scores, suggestion } from '#core'
import { type Listed, listResults, publishedOf, publishedScores, type ResultPlace } from '#result/ledger'
import { compareTask, type Comparison, type Side } from './compare.ts'

/** A finished result with its folder. */
export interface Ours {
  readonly task: string
  readonly scores: Scores
  readonly place: ResultPlace
}

/** The other side of a comparison; `label` names it. */
interface Other extends Side {
  readonly label: string
}

type Lookup = (ours: Ours) => Promise<Other | undefined>

export interface Compared extends Comparison {
  readonly model: string
  readonly representation: string
  readonly against: string
}

/** Finished results with their scores, ready for comparison; failures are left out. */
export function toOurs(root: string, results: readonly Result[]): Ours[] {
  return results.flatMap(({ task_name: task, scores, strata: { status, model, revision, representation } }) =>
    status === 'ok' && scores !== undefined ? [{ task, scores, place: { root, model, revision, representation } }] : [],
  )
}

/** The same for the results of a folder, made by Strata or another program. */
export function oursListed(root: string, listed: readonly Listed[]): Ours[] {
  return listed.flatMap(({ result, model, revision, representation, task }) =>
    result?.scores === undefined || result.strata?.status === 'failed'
      ? []
      : [{ task, scores: result.scores, place: { root, model, revision, representation } }],
  )
}

/**
 * `published` (of the same model), `published:org/name`, a folder of results, or a model in the same folder
 * (`org/name`, with `@revision` and `#representation` where they differ from `default`). Throws `usage.value` when it
 * matches none of these.
 */
export async function compareAll(
  ours: readonly Ours[],
  against: string,
  { root, interval = true }: { root: string; interval?: boolean },
): Promise<Compared[]> {
  const lookup = await lookupOf(against, root)
  const compared: Compared[] = []
  for (const own of ours) {
    const other = await lookup(own)
    if (other === undefined || samePlace(own.place, other.place)) continue
    const comparison = await compareTask(own.task, own, other, { interval })
    compared.push({
      ...comparison,
      model: own.place.model,
      representation: own.place.representation,
      against: other.label,
    })
  }
  return compared
}

async function lookupOf(against: string, root: string): Promise<Lookup> {
  if (against === 'published' || against.startsWith('published:')) return published(against.slice('published:'.length))
  const facts = await stat(against).catch(() => undefined)
  return facts?.isDirectory() === true ? inFolder(against) : asModel(against, root)
}

/**
 * The nearest published result with the task: the same revision, otherwise another revision, otherwise the model card.
 */
async function published(named: string): Promise<Lookup> {
  if (named !== '' && (await publishedOf(named, '')).length === 0) {
    const known = [...new Set((await publishedScores()).map(({ model }) => model))]
    throw fault('usage.value', {
      place: '--against',
      what: 'no published scores of this model are known',
      seen: named,
      hint: suggestion(named, known),
    })
  }
  return async ({ task, scores, place }) => {
    const candidates = await publishedOf(named === '' ? place.model : named, place.revision)
    const splits = Object.keys(scores)
    const found = candidates.find(({ tasks }) => splits.some((split) => tasks.get(task)?.scores[split] !== undefined))
    const own = found?.tasks.get(task)
    if (found === undefined || own === undefined) return undefined
    const revision =
      found.revision === place.revision
        ? ''
        : `, ${/^[0-9a-f]{40}$/.test(found.revision) ? found.revision.slice(0, 7) : found.revision}`
    return {
      scores: own.scores,
      label: `${found.source}${revision}${own.version === null ? '' : `, mteb ${own.version}`}`,
    }
  }
}

/** The folder's result of the same model and representation, otherwise its only one. */
async function inFolder(folder: string): Promise<Lookup> {
  const listed = (await listResults(folder, { status: 'ok' })).filter((one) => one.result !== undefined)
  const cells = new Set(listed.map(({ model, revision, representation }) => `${model}\n${revision}\n${representation}`))
  if (listed.length === 0)
    throw fault('usage.value', { place: '--against', what: 'a folder without results', seen: folder })
  return ({ task, place }) => {
    const same = listed.filter(
      (one) => one.task === task && one.model === place.model && one.representation === place.representation,
    )
    const found =
      same.find(({ revision }) => revision === place.revision) ??
      only(same, folder) ??
      (cells.size === 1 ? listed.find((one) => one.task === task) : undefined)
    return Promise.resolve(
      found?.result?.scores && {
        scores: found.result.scores,
        place: { ...found, root: folder },
        label: `${folder}: ${found.model} ${found.representation}`,
      },
    )
  }
}

async function asModel(against: string, root: string): Promise<Lookup> {
  const [, model = '', revision, representation = 'default'] = /^([^@#]*)(?:@([^#]+))?(?:#(.+))?$/.exec(against) ?? []
  const listed = await listResults(root, {
    status: 'ok',
    models: model === '' ? undefined : [model],
    representations: [representation],
  })
  if (listed.length === 0) {
    const all = await listResults(root, { status: 'ok' })
    const known = [...new Set(all.map((one) => `${one.model}#${one.representation}`))]
    const near = nearest(against, [...known, ...all.map((one) => one.model)])
    throw fault('usage.value', {
      place: '--against',
      what: 'neither `published`, nor a folder, nor a model with results',
      seen: against,
      hint:
        known.length === 0
          ? `no results in ${root}`
          : `${near === undefined ? '' : `did you mean ${near}? `}there are results of ${known.slice(0, 10).join(', ')}`,
    })
  }
  return ({ task, place }) => {
    const named = listed.filter(
      (one) =>
        one.task === task &&
        (model === '' ? one.model === place.model : true) &&
        (revision === undefined || one.revision.startsWith(revision)),
    )
    // `#REP` is of each row's own checkpoint
    const own = model === '' ? named.find((one) => one.revision === place.revision) : undefined
    const found = own ?? only(named, against)
    return Promise.resolve(
      found?.result?.scores && {
        scores: found.result.scores,
        place: { ...found, root },
        label: `${found.model} ${found.representation}`,
      },
    )
  }
}

/** Throws `usage.value` with all of them where a name means several. */
function only(named: readonly Listed[], against: string): Listed | undefined {
  const [first, ...others] = named
  if (others.length === 0) return first
  throw fault('usage.value', {
    place: '--against',
    what: 'several results have this name',
    seen: against,
    wanted: named.map(({ model, revision, representation }) => `${model}@${revision}#${representation}`).join(', '),
    hint: 'name one with its revision',
  })
}

function samePlace(a: ResultPlace, b: ResultPlace | undefined): boolean {
  return (
    b !== undefined &&
    a.root === b.root &&
    a.model === b.model &&
    a.revision === b.revision &&
    a.representation === b.representation
  )
}

/**
 * Share of the difference that counts as agreement, by type of task: the effect of another engine's float32 arithmetic
 * (mteb.md §4.1).
 */
export function agrees(type: string, { ours, theirs }: Pick<Comparison, 'ours' | 'theirs'>): boolean {
  if (ours === null || theirs === null) return false
  return Math.abs(ours - theirs) <= toleranceOf(type)
}

function toleranceOf(type: string): number {
  if (type === 'Clustering') return 0.01
  return type.includes('Classification') && type !== 'PairClassification' ? 0.002 : 0.0005
}
