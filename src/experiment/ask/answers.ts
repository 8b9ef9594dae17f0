/** Answers of a model, stored as they arrive: a killed run continues from them, another run repeats no request. */
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fingerprint } from '#core'
import { isObject } from '#files/formats'
import { freeJournal, type Journal, type JournalKind, makeFolder, openJournal, readJournal } from '#platform/disk'

/** A request to a model: everything that can change its answer, except the model itself. */
export type RequestKey = Readonly<Record<string, unknown>>

export interface Answers<Answer> {
  get(asked: RequestKey): Answer | undefined
  /**
   * Indices in `list` of the requests to run together, each once: the open ones – or, where these are the rest that a
   * killed run left of its own list, that whole list, so that the same batches run again. Empty when all answers are
   * known.
   */
  begin(list: readonly RequestKey[]): number[]
  /** In memory at once, on disk soon. */
  add(asked: RequestKey, answer: Answer): void
  /** Everything that was added is on disk. */
  flush(): Promise<void>
  /** Lets others write the file. */
  close(): Promise<void>
}

/** Where answers are stored: a file named by the user, or a folder in which every process has its own file. */
export type AnswersPlace = { readonly file: string } | { readonly folder: string }

/**
 * Answers of the model with this identity; without a place they live as long as the process. Lines of other models are
 * left unchanged. Throws `usage.conflict` for a file that holds something else, such as the SQLite cache of
 * lm-evaluation-harness, and for a named one that another process writes; `file.write`.
 */
export async function openAnswers<Answer>(identity: string, place: AnswersPlace | undefined): Promise<Answers<Answer>> {
  const known = new Map<string, Answer>()
  const begun: (readonly string[])[] = []
  const { journal, pieces } = await journalAt<Answer>(place)
  for (const line of pieces) {
    if ('begun' in line) begun.push(line.begun)
    else known.set(line.key, line.answer)
  }
  const keyOf = (asked: RequestKey): string => fingerprint([identity, asked]).slice(0, 32)
  let waiting: Line<Answer>[] = []
  let writing = Promise.resolve()
  const write = (): void => {
    if (journal === undefined || waiting.length === 0) return
    const pieces = waiting
    waiting = []
    writing = writing.then(async () => journal.add(pieces))
    // reported by the next flush
    writing.catch(() => undefined)
  }
  return {
    get: (asked) => known.get(keyOf(asked)),
    begin(list) {
      const places = new Map<string, number>()
      list.forEach((asked, i) => {
        const key = keyOf(asked)
        if (!places.has(key)) places.set(key, i)
      })
      const open = [...places.keys()].filter((key) => !known.has(key))
      if (open.length === 0) return []
      const before = begun.findLast((keys) => keys.every((key) => places.has(key)) && isPartOf(open, keys))
      if (before === undefined) waiting.push({ begun: open })
      write()
      return (before ?? open).map((key) => places.get(key) ?? 0)
    },
    add(asked, answer) {
      const key = keyOf(asked)
      if (known.has(key)) return
      known.set(key, answer)
      waiting.push({ key, answer })
      // the answers of one batch arrive together and are written together
      if (waiting.length === 1) setImmediate(write)
    },
    async flush() {
      write()
      await writing
    },
    async close() {
      write()
      await writing.catch(() => undefined)
      await journal?.close()
    },
  }
}

type Line<Answer> = { readonly key: string; readonly answer: Answer } | { readonly begun: readonly string[] }

const words = {
  busy: 'another process writes its answers there',
  hint: 'name another file: --use_cache FILE',
}

interface OpenedAnswers<Answer> {
  readonly journal: Journal<Line<Answer>> | undefined
  readonly pieces: readonly Line<Answer>[]
}

async function journalAt<Answer>(place: AnswersPlace | undefined): Promise<OpenedAnswers<Answer>> {
  const kind = kindOf<Answer>()
  if (place === undefined) return { journal: undefined, pieces: [] }
  if ('file' in place) {
    await makeFolder(dirname(place.file))
    const journal = await openJournal(place.file, kind, words)
    return { journal, pieces: journal.pieces }
  }
  await makeFolder(place.folder)
  for (let turn = 1; ; turn++) {
    const name = turn === 1 ? 'answers.jsonl' : `answers-${turn}.jsonl`
    const journal = await freeJournal(join(place.folder, name), kind, words)
    if (!('writer' in journal))
      return { journal, pieces: [...(await othersIn(place.folder, name, kind)), ...journal.pieces] }
  }
}

/** Answers that other processes have stored there, or are storing. */
async function othersIn<Answer>(
  folder: string,
  own: string,
  kind: JournalKind<Line<Answer>>,
): Promise<readonly Line<Answer>[]> {
  const names = (await readdir(folder)).filter((name) => /^answers(?:-\d+)?\.jsonl$/.test(name) && name !== own)
  const all = await Promise.all(names.map((name) => readJournal(join(folder, name), kind).catch(() => undefined)))
  return all.flatMap((pieces) => pieces ?? [])
}

function kindOf<Answer>(): JournalKind<Line<Answer>> {
  return {
    name: 'answers',
    isPiece: (value): value is Line<Answer> =>
      isObject(value) &&
      ((typeof value['key'] === 'string' && isObject(value['answer'])) || Array.isArray(value['begun'])),
  }
}

function isPartOf(part: readonly string[], whole: readonly string[]): boolean {
  const all = new Set(whole)
  return part.every((key) => all.has(key))
}
