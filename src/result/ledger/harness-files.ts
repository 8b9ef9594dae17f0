/**
 * Result files of lm-evaluation-harness below a folder: the newest of each model and task, by the date in the file's
 * name – the modification time changes when a file is copied.
 */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { asFault, compareCodePoints, fault, fingerprint, mean } from '#core'
import { isObject, parsePythonJson } from '#files/formats'

/**
 * Scores in order of preference for the task's main score; several in a row are averaged, as the Open LLM Leaderboard
 * does for IFEval.
 */
const scoreFields = [
  ['acc_norm,none'],
  ['acc,none'],
  ['exact_match,none'],
  ['exact_match,strict-match'],
  ['prompt_level_strict_acc,none', 'inst_level_strict_acc,none'],
] as const

export interface HarnessScore {
  readonly model: string
  readonly revision: string | undefined
  /** The harness's name for it. */
  readonly task: string
  /** The smallest group that contains the task, apart from the whole leaderboard; otherwise the task itself. */
  readonly group: string
  readonly score: number
  /** Every number reported for the task. */
  readonly values: Readonly<Record<string, number>>
  readonly file: string
  /** Settings that differ from the harness's defaults. */
  readonly settings: {
    readonly chat: boolean
    readonly limit: number | undefined
    readonly numFewshot: number | undefined
    /** `settingsHash` of the further ones. */
    readonly hash: string | undefined
  }
  /** Epoch seconds. */
  readonly date: number | undefined
}

export interface HarnessFiles {
  readonly scores: readonly HarnessScore[]
  /** Files and tasks that do not count: older results, tasks without a known score, unreadable files. */
  readonly passedOver: readonly {
    readonly model: string
    readonly task: string
    readonly file: string
    readonly reason: string
  }[]
}

export function isHarnessFile(path: string): boolean {
  return /^results.*\.json$/.test(basename(path))
}

/** Settings of a run of the harness that have no name of their own; undefined: the default. */
export interface FurtherSettings {
  readonly fewshotAsMultiturn?: boolean | undefined
  readonly systemInstruction?: string | undefined
  readonly genKwargs?: unknown
  readonly samples?: readonly number[] | undefined
  readonly seed?: number | undefined
  readonly fewshotSeed?: number | undefined
}

/** Short name of settings that differ from the defaults; undefined where all are the defaults. */
export function settingsHash(others: FurtherSettings): string | undefined {
  return Object.values(others).every((value) => value === undefined) ? undefined : fingerprint(others).slice(0, 6)
}

/**
 * Empty when there is no such file. With `apart`, results of one task under several settings all count; otherwise the
 * newest of them. Throws `file.missing`.
 */
export async function harnessFiles(folder: string, { apart = false }: { apart?: boolean } = {}): Promise<HarnessFiles> {
  const names = await readdir(folder, { recursive: true }).catch(() => undefined)
  if (names === undefined) throw fault('file.missing', { place: folder, what: 'no such folder of harness results' })
  const files = names
    .filter(isHarnessFile)
    .sort((a, b) => compareCodePoints(basename(a), basename(b)) || compareCodePoints(a, b))
  const newest = new Map<string, HarnessScore>()
  const passedOver: HarnessFiles['passedOver'][number][] = []
  for (const file of files) {
    const place = join(folder, file)
    const document = await readDocument(place)
    if (document instanceof Error) {
      passedOver.push({ model: folderModel(place), task: basename(file, '.json'), file, reason: document.message })
      continue
    }
    const about = aboutOf(document, place)
    const groups = isObject(document['group_subtasks']) ? document['group_subtasks'] : {}
    const shots = isObject(document['n-shot']) ? document['n-shot'] : {}
    for (const [task, values] of Object.entries(document.results)) {
      const children = groups[task]
      if (Array.isArray(children) && children.length > 0) continue
      const score = scoreOf(values)
      if (score === undefined || !isObject(values)) {
        passedOver.push({ model: about.model, task, file, reason: 'no known score' })
        continue
      }
      const { chat, limit, hash } = about.settings
      const key = JSON.stringify([about.model, task, ...(apart ? [about.revision, chat, limit ?? null, hash] : [])])
      const before = newest.get(key)
      if (before !== undefined)
        passedOver.push({ model: about.model, task, file: before.file, reason: `${file} is newer` })
      const numbers = Object.entries(values).flatMap(([name, value]) =>
        name.includes(',') && typeof value === 'number' && Number.isFinite(value) ? [[name, value] as const] : [],
      )
      const numFewshot = typeof shots[task] === 'number' ? shots[task] : undefined
      newest.set(key, {
        ...about,
        task,
        group: groupOf(task, groups),
        score,
        values: Object.fromEntries(numbers),
        file,
        settings: { ...about.settings, numFewshot },
      })
    }
  }
  return { scores: [...newest.values()], passedOver }
}

/** A file of results, or why it is none: the others of its folder are read all the same. */
async function readDocument(place: string): Promise<(Record<string, unknown> & { results: object }) | Error> {
  try {
    const document = parsePythonJson(await readFile(place, 'utf8'), place)
    return isObject(document) && isObject(document['results'])
      ? { ...document, results: document['results'] }
      : fault('result.invalid', { place, what: 'no results of lm-evaluation-harness' })
  } catch (error) {
    return asFault(error, 'file.unreadable', place)
  }
}

/** As lm-evaluation-harness names a model's folder. */
function folderModel(place: string): string {
  return basename(join(place, '..')).replace('__', '/')
}

function aboutOf(
  document: Readonly<Record<string, unknown>>,
  place: string,
): Pick<HarnessScore, 'model' | 'revision' | 'date' | 'settings'> {
  const { model_name: model, date, config, chat_template: template } = document
  const { model_sha: sha, limit } = isObject(config) ? config : {}
  const chat = typeof template === 'string' && template !== ''
  return {
    model: typeof model === 'string' ? model : folderModel(place),
    revision: typeof sha === 'string' && sha !== '' ? sha : undefined,
    date: typeof date === 'number' ? date : undefined,
    settings: {
      chat,
      limit: typeof limit === 'number' ? limit : undefined,
      numFewshot: undefined,
      hash: settingsHash(furtherSettings(document, chat)),
    },
  }
}

/** Settings that are not the harness's defaults: those of the whole run, as its file gives them. */
function furtherSettings(document: Readonly<Record<string, unknown>>, chat: boolean): FurtherSettings {
  const { config, system_instruction: instruction, fewshot_as_multiturn: multiturn } = document
  const {
    gen_kwargs: given,
    random_seed: seed,
    fewshot_seed: fewshotSeed,
  } = isObject(config) ? config : ({} as Record<string, unknown>)
  return {
    fewshotAsMultiturn: typeof multiturn === 'boolean' && multiturn !== chat ? multiturn : undefined,
    systemInstruction: typeof instruction === 'string' && instruction !== '' ? instruction : undefined,
    genKwargs: given == null || given === '' ? undefined : given,
    samples: undefined,
    seed: typeof seed === 'number' && seed !== 0 ? seed : undefined,
    fewshotSeed: typeof fewshotSeed === 'number' && fewshotSeed !== 1234 ? fewshotSeed : undefined,
  }
}

function scoreOf(scores: unknown): number | undefined {
  if (!isObject(scores)) return undefined
  for (const fields of scoreFields) {
    const values = fields.flatMap((field) => {
      const value = scores[field]
      return typeof value === 'number' && Number.isFinite(value) ? [value] : []
    })
    if (values.length === fields.length) return mean(values)
  }
  return undefined
}

function groupOf(task: string, groups: Readonly<Record<string, unknown>>): string {
  const holding = Object.entries(groups).flatMap(([name, children]) =>
    name !== 'leaderboard' && Array.isArray(children) && children.includes(task)
      ? [{ name, size: children.length }]
      : [],
  )
  return holding.sort((a, b) => a.size - b.size)[0]?.name ?? task
}
