/** A task's questions to a language model, with answers stored as they arrive. */
import {
  type CallOptions,
  type Continuation,
  type ContinuationScore,
  fault,
  type GenerateOptions,
  type Generation,
  type LanguageModel,
} from '#core'
import type { Answered, Question } from '#task/harness'
import type { Answers } from './answers.ts'

/** The stored answer to one request. */
export type RecordedAnswer =
  | { readonly kind: 'score'; readonly logLikelihood: number; readonly isGreedy: boolean; readonly dropped: number }
  | { readonly kind: 'rolling'; readonly logLikelihood: number }
  | { readonly kind: 'text'; readonly text: string; readonly end: Generation['end']; readonly dropped: number }

export interface AskOptions extends CallOptions {
  readonly model: LanguageModel
  readonly answers: Answers<RecordedAnswer>
  /** Prompts were written by a chat template, including special tokens. */
  readonly chat: boolean
  /** `generation_kwargs` in this program's terms. */
  readonly generation: Pick<GenerateOptions, 'until' | 'maxTokens' | 'temperature' | 'topK' | 'topP' | 'kwargs'>
  readonly repeats: number
  readonly seed: number
  /** The task, for messages. */
  readonly place: string
  /** Documents with a continuation that is longer than the window are left out and counted; otherwise a fault. */
  readonly skipTooLong: boolean
}

export interface AnsweredTask {
  /** Those that were asked. */
  readonly questions: readonly Question[]
  /** Questions that were left out: the window has no room for one of their continuations. */
  readonly tooLong: number
  /** In the order of the questions. */
  readonly answers: readonly Answered[]
  /** Questions whose prompt exceeded the model's window, and answers that ended at the length limit. */
  readonly truncatedPrompts: number
  readonly truncatedAnswers: number
  /** Questions whose text already begins with the beginning-of-text token, which is not added again. */
  readonly begun: number
  /** Requests, and how many of them had been answered before. */
  readonly requests: number
  readonly known: number
}

/**
 * Asks the questions without a known answer. Throws what the model throws, with the answers received until then stored;
 * `task.value` naming the first document that is too long; `task.empty` where all are left out.
 */
export async function askModel(questions: readonly Question[], options: AskOptions): Promise<AnsweredTask> {
  const [first] = questions
  if (first === undefined)
    return {
      questions,
      tooLong: 0,
      answers: [],
      truncatedPrompts: 0,
      truncatedAnswers: 0,
      begun: 0,
      requests: 0,
      known: 0,
    }
  const begun = begunByThemselves(questions, options)
  try {
    switch (first.asked.kind) {
      case 'loglikelihood':
        return { ...(await askScores(questions, options)), begun }
      case 'loglikelihood_rolling':
        return { questions, tooLong: 0, ...(await askRolling(questions, options)), begun }
      case 'generate_until':
        return { questions, tooLong: 0, ...(await askTexts(questions, options)), begun }
      default:
        return first.asked satisfies never
    }
  } finally {
    await options.answers.flush()
  }
}

/** For prompts without a chat template: a template adds special tokens itself, and then nothing else adds them. */
function begunByThemselves(questions: readonly Question[], { model, chat }: AskOptions): number {
  const begin = model.facts.beginOfText?.text
  if (chat || begin === undefined || begin === '') return 0
  return questions.filter(({ asked }) => {
    switch (asked.kind) {
      case 'loglikelihood':
        return asked.requests.some(({ context }) => context.startsWith(begin))
      case 'loglikelihood_rolling':
        return asked.text.startsWith(begin)
      case 'generate_until':
        return asked.prompt.startsWith(begin)
      default:
        return asked satisfies never
    }
  }).length
}

interface Request<Wanted> {
  readonly wanted: Wanted
  readonly key: Readonly<Record<string, unknown>>
}

/**
 * Answers to all requests, in order: known ones, and those that `run` returns for the rest; equal requests are asked
 * once.
 */
async function ask<Wanted, Kept extends RecordedAnswer>(
  requests: readonly Request<Wanted>[],
  kind: Kept['kind'],
  answers: Answers<RecordedAnswer>,
  run: (
    wanted: readonly Wanted[],
    call: {
      isKnown: (index: number) => boolean
      keep: (index: number, answer: Kept) => void
      /** The place among all requests. */
      placeAt: (index: number) => number
    },
  ) => Promise<unknown>,
): Promise<{ found: (Kept | undefined)[]; known: number }> {
  const keys = requests.map(({ key }) => ({ kind, ...key }))
  const lookUp = (key: (typeof keys)[number] | undefined): Kept | undefined => {
    const found = key === undefined ? undefined : answers.get(key)
    return found?.kind === kind ? (found as Kept) : undefined
  }
  const known = keys.filter((key) => lookUp(key) !== undefined).length
  const places = answers.begin(keys)
  const asked = places.flatMap((i) => keys[i] ?? [])
  const before = asked.map((key) => lookUp(key) !== undefined)
  if (places.length > 0)
    await run(
      places.map((i) => (requests[i] as Request<Wanted>).wanted),
      {
        isKnown: (index) => before[index] === true,
        placeAt: (index) => places[index] ?? -1,
        keep: (index, answer) => {
          const key = asked[index]
          if (key !== undefined) answers.add(key, answer)
        },
      },
    )
  return { found: keys.map(lookUp), known }
}

/** Answers of which none may be missing. */
function complete<Kept>(found: readonly (Kept | undefined)[]): Kept[] {
  return found.map((answer) => {
    if (answer === undefined) throw fault('internal', { place: 'harness', what: 'a request without an answer' })
    return answer
  })
}

async function askScores(questions: readonly Question[], options: AskOptions): Promise<Omit<AnsweredTask, 'begun'>> {
  const { model, answers, chat, signal, onProgress, skipTooLong, place } = options
  const addSpecialTokens = chat ? false : undefined
  const wanted = questions.flatMap((question) =>
    question.asked.kind === 'loglikelihood' ? question.asked.requests.map((own) => ({ own, question })) : [],
  )
  const requests = wanted.map(({ own }): Request<Continuation> => ({ wanted: own, key: { ...own, chat } }))
  const { found, known } = await ask<Continuation, Extract<RecordedAnswer, { kind: 'score' }>>(
    requests,
    'score',
    answers,
    async (open, { isKnown, keep, placeAt }) =>
      model.logLikelihoods(open, {
        addSpecialTokens,
        isKnown,
        signal,
        onProgress,
        onTooLong: (index, size) => {
          if (!skipTooLong) throw tooLong(`${place} › document ${wanted[placeAt(index)]?.question.docId}`, size)
        },
        onAnswer: (index, { logLikelihood, isGreedy, droppedTokens }: ContinuationScore) =>
          keep(index, { kind: 'score', logLikelihood, isGreedy, dropped: droppedTokens }),
      }),
  )
  let at = 0
  let truncated = 0
  const left: Question[] = []
  const answered: Answered[] = []
  for (const question of questions) {
    const all = found.slice(at, (at += question.asked.kind === 'loglikelihood' ? question.asked.requests.length : 0))
    if (skipTooLong && all.includes(undefined)) continue
    const own = complete(all)
    if (own.some(({ dropped }) => dropped > 0)) truncated++
    left.push(question)
    answered.push({
      kind: 'loglikelihood',
      scores: own.map(({ logLikelihood, isGreedy }) => [logLikelihood, isGreedy] as const),
    })
  }
  if (left.length === 0)
    throw fault('task.empty', { place, what: 'every document has a continuation that is longer than the window' })
  return {
    questions: left,
    tooLong: questions.length - left.length,
    answers: answered,
    truncatedPrompts: truncated,
    truncatedAnswers: 0,
    requests: requests.length,
    known,
  }
}

function tooLong(place: string, { tokens, room }: { tokens: number; room: number }): Error {
  return fault('task.value', {
    place,
    what: "a continuation is longer than the model's window",
    seen: `${tokens} tokens`,
    wanted: `at most ${room}`,
    hint: 'leave such documents out: --skip-too-long',
  })
}

async function askRolling(
  questions: readonly Question[],
  { model, answers, signal, onProgress }: AskOptions,
): Promise<Omit<AnsweredTask, 'begun' | 'questions' | 'tooLong'>> {
  const requests = questions.flatMap(({ asked }): Request<string>[] =>
    asked.kind === 'loglikelihood_rolling' ? [{ wanted: asked.text, key: { text: asked.text } }] : [],
  )
  const { found, known } = await ask<string, Extract<RecordedAnswer, { kind: 'rolling' }>>(
    requests,
    'rolling',
    answers,
    async (open, { isKnown, keep }) =>
      model.rollingLogLikelihoods(open, {
        isKnown,
        signal,
        onProgress,
        onAnswer: (index, logLikelihood) => keep(index, { kind: 'rolling', logLikelihood }),
      }),
  )
  return {
    answers: complete(found).map(({ logLikelihood }) => ({ kind: 'loglikelihood_rolling', score: logLikelihood })),
    truncatedPrompts: 0,
    truncatedAnswers: 0,
    requests: requests.length,
    known,
  }
}

async function askTexts(
  questions: readonly Question[],
  { model, answers, chat, generation, repeats, seed, signal, onProgress }: AskOptions,
): Promise<Omit<AnsweredTask, 'begun' | 'questions' | 'tooLong'>> {
  const greedy = (generation.temperature ?? 0) === 0
  // a greedy answer is the same every time
  const times = greedy ? 1 : repeats
  const prompts = questions.flatMap(({ asked }) => (asked.kind === 'generate_until' ? [asked.prompt] : []))
  const turns: Extract<RecordedAnswer, { kind: 'text' }>[][] = []
  let known = 0
  for (let turn = 0; turn < times; turn++) {
    const drawn = greedy ? {} : { seed: seed + turn }
    const requests = prompts.map((prompt): Request<string> => ({
      wanted: prompt,
      key: { prompt, generation, chat, ...drawn },
    }))
    const { found, known: before } = await ask<string, Extract<RecordedAnswer, { kind: 'text' }>>(
      requests,
      'text',
      answers,
      async (open, { isKnown, keep }) =>
        model.generate(open, {
          ...generation,
          ...drawn,
          isKnown,
          addSpecialTokens: chat ? false : undefined,
          signal,
          onProgress,
          onAnswer: (index, { text, end, droppedTokens }) =>
            keep(index, { kind: 'text', text, end, dropped: droppedTokens }),
        }),
    )
    turns.push(complete(found))
    known += before
  }
  const all = prompts.map((_, i) => turns.flatMap((found) => found[i] ?? []))
  return {
    answers: all.map((own): Answered => ({
      kind: 'generate_until',
      texts: Array.from({ length: repeats }, (_, turn) => own[turn % own.length]?.text ?? ''),
    })),
    truncatedPrompts: all.filter((own) => own.some(({ dropped }) => dropped > 0)).length,
    truncatedAnswers: all.filter((own) => own.some(({ end }) => end === 'length')).length,
    requests: prompts.length * times,
    known,
  }
}
