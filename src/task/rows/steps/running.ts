/**
 * One counter for queries and documents: every row takes a number for its query, then one for each of its documents
 * that is new.
 */
import { columnOf, eachSplit, type StepKind, withColumn } from './step.ts'

export interface Running {
  /** Column of the query's number. */
  readonly query: string
  /**
   * Columns of documents, in the order they are numbered; their numbers are in `<column>#`, whether they are new
   * (`True`, `False`) in `<column>#new`.
   */
  readonly documents: readonly string[]
  /**
   * Documents are remembered over all splits of the data set, in their order, although numbers start anew with every
   * split: what an earlier split had keeps its number there and is not new. Default: every split for itself.
   */
  readonly across?: boolean
}

export const running: StepKind<Running> = {
  before: (wanted, { query, documents }) => {
    const made = new Set([query, ...documents.flatMap(columnsOf)])
    return new Set([...[...wanted].filter((name) => !made.has(name)), ...documents])
  },
  splitsBefore: (wanted, { across = false }, all) => (across ? new Set([...all, ...wanted]) : wanted),
  apply(splits, { query, documents, across = false }) {
    let known = new Map<unknown, number>()
    return eachSplit(splits, (rows) => {
      if (!across) known = new Map()
      const queries: number[] = []
      const made = documents.map((name) => ({
        name,
        texts: columnOf(rows, name),
        numbers: [] as (number | undefined)[],
        news: [] as boolean[],
      }))
      let next = 0
      for (let row = 0; row < rows.rows; row++) {
        queries.push(next++)
        for (const { texts, numbers, news } of made) {
          const isNew = !known.has(texts[row])
          if (isNew) known.set(texts[row], next++)
          numbers.push(known.get(texts[row]))
          news.push(isNew)
        }
      }
      return made.reduce(
        (wide, { name, numbers, news }) => {
          const [number, isNew] = columnsOf(name)
          return withColumn(withColumn(wide, number, numbers), isNew, news)
        },
        withColumn(rows, query, queries),
      )
    })
  },
}

function columnsOf(document: string): [number: string, isNew: string] {
  return [`${document}#`, `${document}#new`]
}
