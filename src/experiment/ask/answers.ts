/** Answers of a model, kept as they come: a killed run goes on from them, another run asks nothing twice. */
import { dirname } from 'node:path'
import { fingerprint } from '#core'
import { addToJournal, makeFolder, readJournal } from '#platform/disk'

/** What a model was asked: everything that can move its answer, but for the model itself. */
export type Asked = Readonly<Record<string, unknown>>

export interface Answers<Answer> {
  get(asked: Asked): Answer | undefined
  /**
   * Places in `list` of what is to be asked together, each once: what is open – or, where that is what a killed run
   * left of a list of its own, that whole list, so that the same
   * batches run again. Empty when all is known.
   */
  begin(list: readonly Asked[]): number[]
  /** Kept in memory now, on the disk soon. */
  add(asked: Asked, answer: Answer): void
  /** All that was added is on the disk. */
  flush(): Promise<void>
}

/**
 * Of the model with this identity; without a path they live as long as the process. Lines of other models in the file
 * are left alone.
 */
export async function openAnswers<Answer>(identity: string, path: string | undefined): Promise<Answers<Answer>> {
  const known = new Map<string, Answer>()
  const begun: (readonly string[])[] = []
  if (path !== undefined) {
    await makeFolder(dirname(path))
    for (const line of (await readJournal<Line<Answer>>(path)) ?? []) {
      if ('begun' in line) begun.push(line.begun)
      else known.set(line.key, line.answer)
    }
  }
  const keyOf = (asked: Asked): string => fingerprint([identity, asked]).slice(0, 32)
  let waiting: Line<Answer>[] = []
  let writing = Promise.resolve()
  const write = (): void => {
    if (path === undefined || waiting.length === 0) return
    const pieces = waiting
    waiting = []
    writing = writing.then(async () => addToJournal(path, pieces, { lines: true }))
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
      // all that one batch brings comes at once, and is written at once
      if (waiting.length === 1) setImmediate(write)
    },
    async flush() {
      write()
      await writing
    },
  }
}

type Line<Answer> = { readonly key: string; readonly answer: Answer } | { readonly begun: readonly string[] }

function isPartOf(part: readonly string[], whole: readonly string[]): boolean {
  const all = new Set(whole)
  return part.every((key) => all.has(key))
}
