/** Answers of a model, kept as they come: a killed run goes on from them, another run asks nothing twice. */
import { dirname } from 'node:path'
import { fingerprint } from '#core'
import { addToJournal, makeFolder, readJournal } from '#platform/disk'

/** What a model was asked: everything that can move its answer, but for the model itself. */
export type Asked = Readonly<Record<string, unknown>>

export interface Answers<Answer> {
  get(asked: Asked): Answer | undefined
  /** Kept in memory now, on the disk soon. */
  add(asked: Asked, answer: Answer): void
  /** All that was added is on the disk. */
  flush(): Promise<void>
}

/** Of the model with this identity; without a path they live as long as the process. Lines of other models in the file are left alone. */
export async function openAnswers<Answer>(identity: string, path: string | undefined): Promise<Answers<Answer>> {
  const known = new Map<string, Answer>()
  if (path !== undefined) {
    await makeFolder(dirname(path))
    for (const { key, answer } of (await readJournal<{ key: string; answer: Answer }>(path)) ?? []) known.set(key, answer)
  }
  const keyOf = (asked: Asked): string => fingerprint([identity, asked]).slice(0, 32)
  let waiting: { key: string; answer: Answer }[] = []
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
    add(asked, answer) {
      const key = keyOf(asked)
      known.set(key, answer)
      waiting.push({ key, answer })
      if (waiting.length >= linesAtOnce) write()
    },
    async flush() {
      write()
      await writing
    },
  }
}

/** A kill loses no more answers than these. */
const linesAtOnce = 16
