/** What a server answers to: models by name, and behind `#` any representation of them that needs no file. */
import { fault, Fault, type LanguageModel, suggestNearest } from '#core'
import { languageModelOf, type Model } from '#model/checkpoint'
import {
  layersOf,
  type Representation,
  representationEncoder,
  representationName,
  representationsNamed,
  toWhole,
} from '#representation/layers'
import { type PassCache, openPassCache, type PassCacheOptions } from './pass-cache.ts'
import type { PassQueue, PassQueueOptions } from './pass-queue.ts'
import { openQueue } from './queued-model.ts'

export interface ServedModel {
  readonly name: string
  readonly model: Model
  /** Absent for a model without hidden states. */
  readonly queue: PassQueue | undefined
  /** Present where vectors come from the cache that were asked before. */
  readonly kept: PassCache | undefined
  /** Representations named at the start, by the words of the start and by their own name; files among them. */
  readonly named: ReadonlyMap<string, Representation>
  /** Their names for answers: of a file, that of its mix, for its path is nobody's business. */
  readonly listed: readonly string[]
  /** What the model's name alone asks for. */
  readonly plain: Representation
  /** Work outside the shared passes, one after another, so that memory is that of one. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
  /** Reads every byte of a folder, once. */
  readonly revision: () => Promise<string>
  /** Opened with the first text that is asked of it. */
  readonly writer: () => Promise<LanguageModel>
}

export interface FoundModel {
  readonly served: ServedModel
  readonly representation: Representation
}

export interface Served {
  readonly all: readonly ServedModel[]
  /**
   * `org/name`, `org/name#h6:128`; undefined: the first model. Throws `hub.missing` for another model,
   * `representation.unknown`.
   */
  find(name: string | undefined): Promise<FoundModel>
  /** For addresses that ask a model's head, or its tokens. Throws `usage.value` for a representation behind the name. */
  findModel(name: string | undefined): ServedModel
  close(): Promise<void>
}

export interface ServingOptions extends Omit<PassQueueOptions, 'run'> {
  /** Vectors of texts are kept in the store that the models were opened with, and taken from there. */
  readonly isKept?: boolean | undefined
  readonly onKept?: PassCacheOptions['onKept']
}

/**
 * Opens every representation once, so that a wrong one stops the start. Throws `usage.conflict` for two models of one
 * name, `representation.*`.
 */
export async function serveModels(
  models: readonly Model[],
  names: readonly string[],
  { isKept = false, onKept, ...queueOptions }: ServingOptions,
): Promise<Served> {
  const all: ServedModel[] = []
  const misfits = new Map<string, Fault[]>()
  for (const model of models) {
    if (all.some(({ name }) => name === model.name))
      throw fault('usage.conflict', { place: model.name, what: 'two models of one name cannot be told apart' })
    const named = new Map<string, Representation>()
    const listed: string[] = []
    for (const name of names) {
      const found = await fitting(name, model, misfits)
      if (found === undefined) continue
      // one that gives no vectors stops the start
      await representationEncoder(model, found)
      named.set(name, found).set(representationName(found), found)
      listed.push(isPath(name) ? representationName(found) : name)
    }
    const { states } = model
    const reach = Math.max(-1, ...[...named.values()].map(highestState))
    const queue = states === undefined ? undefined : openQueue(states, { ...queueOptions, reach })
    all.push({
      name: model.name,
      model,
      queue,
      kept:
        queue === undefined || states?.keptBy === undefined || !isKept
          ? undefined
          : openPassCache({ ...states, keptBy: states.keptBy }, queue, { reach, onKept }),
      named,
      listed,
      plain: named.values().next().value ?? { kind: 'default' },
      inTurn: turns(),
      revision: onceDone(() => model.revision()),
      writer: onceDone(() => languageModelOf(model, model.name)),
    })
  }
  for (const faults of misfits.values()) if (faults.length === models.length && faults[0]) throw faults[0]
  return {
    all,
    find: async (name) => findIn(all, name),
    findModel: (name) => modelIn(all, name),
    async close() {
      for (const { kept } of all) await kept?.close()
    },
  }
}

function turns(): ServedModel['inTurn'] {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const own = last.then(work, work)
    last = own.catch(() => undefined)
    return own
  }
}

/** A failure is not remembered. */
function onceDone<T>(work: () => Promise<T>): () => Promise<T> {
  let first: Promise<T> | undefined
  return () => {
    first ??= work()
    first.catch(() => (first = undefined))
    return first
  }
}

/** A file of a mix fits one model of several. */
async function fitting(name: string, model: Model, misfits: Map<string, Fault[]>): Promise<Representation | undefined> {
  try {
    const [found] = await representationsNamed([name], model)
    return found
  } catch (error) {
    if (!(error instanceof Fault) || !error.code.startsWith('representation.')) throw error
    misfits.set(name, [...(misfits.get(name) ?? []), error])
    return undefined
  }
}

async function findIn(all: readonly ServedModel[], name: string | undefined): Promise<FoundModel> {
  const { served, behind } = splitIn(all, name)
  if (behind === undefined) return { served, representation: served.plain }
  return { served, representation: await representationIn(served, behind) }
}

function modelIn(all: readonly ServedModel[], name: string | undefined): ServedModel {
  const { served, behind } = splitIn(all, name)
  if (behind === undefined) return served
  throw fault('usage.value', {
    place: 'model',
    what: 'a representation has no effect at this address',
    seen: name,
    wanted: served.name,
  })
}

function splitIn(
  all: readonly ServedModel[],
  name: string | undefined,
): { readonly served: ServedModel; readonly behind: string | undefined } {
  const [first] = all
  const [word = '', ...behind] = (name ?? first?.name ?? '').split('#')
  const served = all.find((one) => one.name === word)
  if (served !== undefined) return { served, behind: behind.length === 0 ? undefined : behind.join('#') }
  const names = all.map((one) => one.name)
  throw fault('hub.missing', {
    place: 'model',
    what: 'no such model is served',
    seen: word,
    wanted: names.join(', '),
    hint: suggestNearest(word, names),
  })
}

/** Files are those of the start: no word of a request reaches the disk. */
async function representationIn({ model, named, listed }: ServedModel, name: string): Promise<Representation> {
  const known = named.get(name)
  if (known !== undefined) return known
  if (isPath(name) || name.length > mostLetters)
    throw fault('representation.unknown', {
      place: `model › ${model.name}`,
      what: 'representation files are those named when the server starts',
      seen: name,
      wanted: ['default, h<n>, mean:<n>-<n>', ...listed].join(', '),
    })
  const [found] = await representationsNamed([name], model)
  if (found === undefined || (found.kind === 'sized' && found.type !== 'float32'))
    throw fault('representation.unknown', {
      place: `model › ${model.name}`,
      what: 'a server answers in float32',
      seen: name,
      hint: 'leave out the type',
    })
  return found
}

const mostLetters = 100

function isPath(name: string): boolean {
  return /[/\\]|\.json(?::|$)/.test(name)
}

function highestState(representation: Representation): number {
  const whole = toWhole(representation)
  switch (whole.kind) {
    case 'default':
    case 'splade':
      return -1
    case 'state':
    case 'tokens':
      return whole.h
    case 'combination':
      return Math.max(...layersOf(whole.mix))
    default:
      return whole satisfies never
  }
}
