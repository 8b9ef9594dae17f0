/**
 * Answers logged by lm-evaluation-harness or this program (`samples_*.jsonl`), as the model that gave them: for other
 * filters and metrics without the model.
 */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import {
  type ContinuationScore,
  fault,
  fingerprint,
  type GenerateOptions,
  type Generation,
  type LanguageModel,
  type LanguageModelCall,
  sha256,
} from '#core'
import { isObject, parsePythonJson } from '#files/formats'
import { type Generation as HowWritten, toGeneration } from './generation-kwargs.ts'

export interface RecordedModelOptions {
  /** Seed of the first repetition of sampled answers; the next repetition uses the next seed. */
  readonly seed?: number | undefined
}

interface Written {
  readonly how: HowWritten
  /** One per repetition. */
  readonly texts: readonly string[]
}

interface Recorded {
  readonly scores: Map<string, ContinuationScore>
  readonly rolling: Map<string, number>
  readonly texts: Map<string, Written[]>
}

/**
 * All files of samples below `folder` together; when several contain a request, the newest counts. Throws
 * `file.missing` where there are none, `result.invalid` for a line that is not a sample, and `task.value` for a request
 * that was not logged.
 */
export async function openRecordedModel(
  folder: string,
  { seed = 0 }: RecordedModelOptions = {},
): Promise<LanguageModel> {
  const names = (await readdir(folder, { recursive: true }).catch(() => [])).sort((a, b) =>
    dateIn(a) < dateIn(b) ? -1 : 1,
  )
  const files = names.filter((name) => /^samples_.*\.jsonl$/.test(basename(name)))
  if (files.length === 0)
    throw fault('file.missing', {
      place: folder,
      what: 'no samples of lm-evaluation-harness',
      wanted: 'samples_<task>_<date>.jsonl',
      hint: 'they are written with --log_samples',
    })
  const recorded: Recorded = { scores: new Map(), rolling: new Map(), texts: new Map() }
  const hashes: string[] = []
  for (const name of files) {
    const text = await readFile(join(folder, name), 'utf8')
    hashes.push(sha256(text))
    text.split('\n').forEach((line, i) => {
      if (line.trim() !== '') addSample(recorded, line, `${join(folder, name)}:${i + 1}`)
    })
  }
  const identity = fingerprint(['recorded', hashes.sort()])
  return {
    facts: {
      name: await nameIn(folder, names),
      revision: identity.slice(0, 12),
      identity,
      parameters: 0,
      dtype: 'recorded',
      window: 0,
      beginOfText: undefined,
      endOfText: undefined,
      padding: undefined,
      chatTemplate: undefined,
    },
    logLikelihoods: async (requests, call) =>
      answered(
        requests,
        call,
        ({ context, continuation }) => recorded.scores.get(keyOf(context, continuation)) ?? unknown(folder, context),
      ),
    rollingLogLikelihoods: async (texts, call) =>
      answered(texts, call, (text) => recorded.rolling.get(text) ?? unknown(folder, text)),
    generate: async (prompts, call) =>
      answered(prompts, call, (prompt) => textFor({ folder, recorded, prompt, seed }, call ?? {})),
  }
}

async function answered<Request, Answer>(
  requests: readonly Request[],
  { onAnswer }: LanguageModelCall<Answer> = {},
  answer: (request: Request) => Answer,
): Promise<Answer[]> {
  return requests.map((request, i) => {
    const found = answer(request)
    onAnswer?.(i, found)
    return found
  })
}

interface TextAsked {
  readonly folder: string
  readonly recorded: Recorded
  readonly prompt: string
  readonly seed: number
}

function textFor(
  { folder, recorded, prompt, seed }: TextAsked,
  { until = [], maxTokens, temperature = 0, topK, topP, seed: drawn = seed }: GenerateOptions,
): Generation {
  const all = recorded.texts.get(prompt) ?? unknown(folder, prompt)
  const asked = { until, maxTokens, temperature, topK, topP }
  const own = all.findLast(({ how }) => sameWay(how, asked))
  if (own === undefined)
    throw fault('task.value', {
      place: folder,
      what: 'the prompt was answered with other generation_kwargs',
      seen: all.at(-1)?.how,
      wanted: asked,
    })
  const text = own.texts[drawn - seed]
  if (text === undefined)
    throw fault('task.value', {
      place: folder,
      what: 'more repetitions of an answer are needed than were logged',
      seen: own.texts.length,
      wanted: drawn - seed + 1,
    })
  return { text, end: 'stop', droppedTokens: 0 }
}

/** The reference adds the model's end of text to the stop strings that it logs. */
function sameWay(logged: HowWritten, asked: HowWritten): boolean {
  const stops = asked.until ?? []
  const more = (logged.until ?? []).filter((stop) => !stops.includes(stop))
  const rest = (['maxTokens', 'temperature', 'topK', 'topP'] as const).every((name) => logged[name] === asked[name])
  return (
    rest && stops.every((stop) => logged.until?.includes(stop)) && more.every((stop) => /^(?:<.*>|\[.*\])$/s.test(stop))
  )
}

function unknown(folder: string, prompt: string): never {
  throw fault('task.value', {
    place: folder,
    what: 'the samples contain no answer to this prompt',
    seen: prompt.slice(-120),
    hint: 'use the same documents, examples, template and seeds',
  })
}

function keyOf(context: string, continuation: string): string {
  return JSON.stringify([context, continuation])
}

/**
 * Samples of requests [context, continuation], [text] or [prompt, generation_kwargs] with their responses, numbers as
 * texts; files before 0.4.3 hold lists where later ones hold `gen_args_0`.
 */
function addSample({ scores, rolling, texts }: Recorded, line: string, place: string): void {
  const row = parsePythonJson(line, place)
  const all = isObject(row)
    ? Object.values(row['arguments'] ?? {}).map((one) => (isObject(one) ? Object.values(one) : one))
    : []
  const responses: unknown = isObject(row) ? row['resps'] : undefined
  if (!Array.isArray(responses) || responses.length !== all.length || all.length === 0) throw invalid(place)
  all.forEach((own: unknown, i) => {
    const response: unknown = responses[i]
    const [first, second] = Array.isArray(own) ? (own as unknown[]) : []
    if (typeof first !== 'string' || !Array.isArray(response)) throw invalid(place)
    if (typeof second === 'string') {
      const [pair] = response as unknown[]
      const [value, isGreedy] = Array.isArray(pair) ? (pair as unknown[]) : []
      scores.set(keyOf(first, second), {
        logLikelihood: numberOf(value, place),
        isGreedy: isGreedy === true || isGreedy === 'True',
        droppedTokens: 0,
      })
    } else if (isObject(second)) {
      const answers = response.filter((one): one is string => typeof one === 'string')
      if (answers.length !== response.length) throw invalid(place)
      texts.set(first, [...(texts.get(first) ?? []), { how: toGeneration(second, place), texts: answers }])
    } else rolling.set(first, numberOf(([response[0]].flat() as unknown[])[0], place))
  })
}

function numberOf(value: unknown, place: string): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value.replace(/^-inf$/, '-Infinity')) : value
  if (typeof number !== 'number' || Number.isNaN(number)) throw invalid(place)
  return number
}

function invalid(place: string): Error {
  return fault('result.invalid', {
    place,
    what: 'no sample of lm-evaluation-harness',
    wanted: 'arguments, and a response to each',
  })
}

/** Reads `2026-11-24T01-02-03.456` in a file's name. */
function dateIn(name: string): string {
  return /\d{4}-\d\d-\d\dT[\d.-]+/.exec(basename(name))?.[0] ?? ''
}

/** The model's name in the results next to the samples; otherwise the folder's name. */
async function nameIn(folder: string, names: readonly string[]): Promise<string> {
  const results = names.findLast((name) => /^results_.*\.json$/.test(basename(name)))
  const document =
    results === undefined
      ? undefined
      : parsePythonJson(await readFile(join(folder, results), 'utf8'), join(folder, results))
  const name = isObject(document) ? document['model_name'] : undefined
  return typeof name === 'string' && name !== '' ? name : basename(folder)
}
