/**
 * Jobs of a sweep – one per (task, representation): the name and fingerprint of its result, and whether the result
 * exists.
 */
import { type AskOptions, fingerprint, type ResultSettings } from '#core'
import type { KMeansProfile } from '#platform/linalg'
import { chooseAdapter, choosePrompt, type Model } from '#model/checkpoint'
import {
  isPacked,
  isRanged,
  representationKey,
  representationName,
  type Representation,
  findSimilarity,
  toWhole,
} from '#representation/layers'
import {
  findFailure,
  findResult,
  makeFingerprint,
  reuse,
  type Reuse,
  type ResultPlace,
  type Selection,
  type StoredResult,
} from '#result/ledger'
import { type TaskRequest, askingTask, isClustering, type Profile, runsOn, type TaskInfo } from '#task/rows'
import { membersOf } from '#task/registry'
import type { Member } from './aggregate.ts'
import type { PlanEntry } from './plan.ts'
import type { RerankOptions, SweepRequest } from './sweep-request.ts'

/** Version of our arithmetic from vectors to scores; raised when a change moves them. */
const arithmetic = '1'

/** One (task, representation) before it is run. */
export interface Job extends PlanEntry {
  readonly representationOf: Representation
  readonly place: ResultPlace
  readonly fingerprint: string
  /** How the model was read, with every other setting that moves a score. */
  readonly settings: ResultSettings
  /** Members of an aggregate task. */
  readonly members: readonly Member[]
  /** A finished result, whole or in part. */
  readonly stored: StoredResult | undefined
  /** Splits and subsets still to score; undefined means all. */
  readonly missing: Selection | undefined
}

/**
 * Which results exist, and which must be computed: equal fingerprints are reused, everything else runs again with the
 * reason shown.
 */
export async function planJobs(model: Model, asked: TaskRequest, sweep: SweepRequest): Promise<Job[]> {
  const { task, profile, subsets, share } = asked
  const { kmeans, outputFolder, overwriteStrategy } = sweep
  const identity = await model.identity()
  const revision = await model.revision()
  const memberTasks = await membersOf(task)
  const memberJobs = await Promise.all(memberTasks.map((member) => planJobs(model, sweep.asked(member), sweep)))
  const isReranked = memberJobs.flat().some(({ settings }) => settings['rerank'] !== undefined)
  const rerank = task.protocol === 'AbsTaskRetrieval' || isReranked ? sweep.rerank : undefined
  const second = rerank && { ...(await rerankSettings(rerank)), top: rerank.top }
  return Promise.all(
    sweep.representations.map(async (representationOf, at) => {
      const members = memberJobs.flatMap((jobs, i) => memberOf(memberTasks[i], jobs[at]))
      const representation = nameOf(model, task, { representation: representationOf, profile, kmeans, share, rerank })
      const settings = {
        ...settingsOf(model, asked, kmeans),
        ...(representationOf.kind === 'tokens' ? { pooling: 'maxsim' } : {}),
        ...wordSettings(model, representationOf),
        ...(second === undefined ? {} : { rerank: second }),
        // whose texts decide the ranges of a quantised vector
        ...(representationOf.kind === 'sized' && isRanged(representationOf.type) ? { calibration: 'part' } : {}),
        // cosines of bits come from counts
        ...(representationOf.kind === 'sized' && isPacked(representationOf.type) ? { cosine: 'exact' } : {}),
      }
      const whole = toWhole(representationOf)
      const combination = whole.kind === 'combination' ? whole : undefined
      const key = makeFingerprint({
        model: identity,
        reading: model.settings,
        representation,
        // the search for a mix moves no score, its content does
        settings: combination === undefined ? settings : { ...settings, combination: combination.identity },
        task,
        // an aggregate consists of its members
        data: [task.dataset.revision, ...members.map((member) => member.fingerprint)].join(' '),
        profile,
        arithmetic,
      })
      const place = { root: outputFolder, model: model.name, revision, representation }
      const found = await findResult(place, task.name)
      const failure = await findFailure(place, task.name)
      // a choice that leaves nothing fails, whatever the folder holds
      const chosen: Reuse =
        asked.refusal === undefined
          ? reuse(
              found,
              {
                fingerprint: key,
                selection: Object.fromEntries(presentIn(found, asked).map((split) => [split, subsets])),
              },
              overwriteStrategy,
            )
          : { run: true, reuse: false, reason: asked.refusal.message }
      const unrun = chosen.reuse ? 'reused' : 'skipped'
      const state = chosen.run ? 'run' : unrun
      const reason =
        chosen.run && found === undefined && failure !== undefined
          ? `failed before (${failure.result?.strata?.code ?? 'unreadable'})`
          : chosen.reason
      return {
        task: task.name,
        representation,
        representationOf,
        place,
        fingerprint: key,
        settings: combination === undefined ? settings : { ...settings, combination: combination.about },
        members,
        stored: chosen.reuse ? found?.result : undefined,
        // a subset alone would be drawn differently than among the others
        missing: runsOn(task) ? undefined : chosen.missing,
        state,
        reason:
          runsOn(task) && chosen.missing !== undefined
            ? `${reason}; scored whole, its samples run on from subset to subset`
            : reason,
      }
    }),
  )
}

function memberOf(task: TaskInfo | undefined, job: Job | undefined): Member[] {
  return task === undefined || job === undefined ? [] : [{ task, fingerprint: job.fingerprint, place: job.place }]
}

/** What a reranker is, and how it is read: two of one name never share results. */
async function rerankSettings({ model, representation }: RerankOptions): Promise<Record<string, unknown>> {
  return {
    model: model.name,
    revision: await model.revision(),
    identity: fingerprint(await model.identity()),
    reading: model.settings,
    prompt: model.prompts.literal ?? null,
    ...(representation === undefined ? {} : { representation: representationKey(representation) }),
  }
}

/** Settings that are not the reranker's own stand behind its name, and the representation it searches by. */
function rerankName({ model: { name, overrides }, representation, top }: RerankOptions): string {
  const by = representation === undefined ? [] : [representationName(representation)]
  return [`rerank${top}-${name.replaceAll('/', '__')}`, ...overrides, ...by].join('-')
}

/** The splits that its data have, as far as an earlier result knows. */
function presentIn(
  found: Awaited<ReturnType<typeof findResult>>,
  { splits, isLenient }: TaskRequest,
): readonly string[] {
  const { lacks = [] } = found?.result?.strata ?? {}
  const present = isLenient ? splits.filter((split) => !lacks.includes(split)) : splits
  return present.length === 0 ? splits : present
}

/** Settings of a result about how the model was read; clustering tasks add the k-means version they follow. */
function settingsOf(
  { settings, prompts }: Model,
  { task: own, share }: TaskRequest,
  kmeans: KMeansProfile,
): ResultSettings {
  const task = askingTask(own)
  const bySide = <T>(choose: (call: Pick<AskOptions, 'task' | 'promptType'>) => T): [T, T, T] => [
    choose({ task }),
    choose({ task, promptType: 'query' }),
    choose({ task, promptType: 'document' }),
  ]
  const [plain, query, document] = bySide((call) => choosePrompt(prompts, call))
  const adapters = bySide((call) => chooseAdapter(prompts.adapters, call) ?? 'none')
  return {
    pooling: settings.pooling.join('+') || poolingLess(settings),
    maxLength: settings.maxLength,
    prompt: plain,
    ...(query === plain && document === plain ? {} : { queryPrompt: query, documentPrompt: document }),
    ...(prompts.adapters === undefined ? {} : { adapters }),
    dtype: settings.dtype,
    engine: settings.engine,
    ...(settings.device === 'cpu' ? {} : { device: settings.device }),
    similarity: settings.similarity,
    finalNorm: settings.finalNorm,
    ...(settings.chat ? { chat: true } : {}),
    ...(settings.normalize === true ? { normalize: true } : {}),
    ...(settings.bm25 === undefined ? {} : settings.bm25),
    ...(settings.lateInteraction === undefined ? {} : { lateInteraction: settings.lateInteraction }),
    ...(isClustering(own) ? { kmeans } : {}),
    ...(share === undefined ? {} : { limit: share }),
  }
}

/** Weights of words are recorded in place of a pooling. */
function wordSettings(model: Model, representation: Representation): Partial<ResultSettings> {
  const { kind } = toWhole(representation)
  const splade = kind === 'splade' ? { pooling: 'max', logs: 1 } : model.settings.splade
  if (splade === undefined || (kind !== 'splade' && kind !== 'default')) return {}
  const pooling = `splade-${splade.pooling}${splade.logs === 1 ? '' : '-twice'}`
  return { pooling, similarity: findSimilarity(model, representation) }
}

function poolingLess({ graph, bm25 }: Model['settings']): string {
  if (bm25 !== undefined) return 'none'
  return graph === true ? 'graph' : 'static'
}

/** Settings that can move a score and differ from the folder's own are part of the name; defaults never are. */
function nameOf(
  model: Model,
  task: TaskInfo,
  {
    representation,
    profile,
    kmeans,
    share,
    rerank,
  }: {
    representation: Representation
    profile: Profile
    kmeans: KMeansProfile
    share: number | undefined
    rerank: RerankOptions | undefined
  },
): string {
  const clusters = isClustering(task) && kmeans !== 'A' ? [`kmeans-${kmeans}`] : []
  const limits = share === undefined ? [] : [`limit-${share}`]
  return [
    representationName(representation),
    ...model.overrides,
    ...(profile === 'mteb-2' ? [] : [profile]),
    ...clusters,
    ...limits,
    ...(rerank === undefined ? [] : [rerankName(rerank)]),
  ].join('+')
}
