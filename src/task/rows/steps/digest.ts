/** Texts by their SHA-256 in hex. */
import { fault, sha256 } from '#core'
import { columnOf, eachSplit, type StepKind, withColumn } from './step.ts'

/** Column of texts → column of hashes. */
export const digest: StepKind<Readonly<Record<string, string>>> = {
  before: (wanted, names) =>
    new Set([...[...wanted].filter((name) => !Object.values(names).includes(name)), ...Object.keys(names)]),
  apply: (splits, names) =>
    eachSplit(splits, (rows) =>
      Object.entries(names).reduce((wide, [from, as]) => {
        const hashes = columnOf(rows, from).map((text, i) => {
          if (typeof text === 'string') return sha256(text)
          throw fault('task.value', {
            place: `${rows.place} › row ${i + 1}`,
            what: `${from} is not a text`,
            seen: text,
          })
        })
        return withColumn(wide, as, hashes)
      }, rows),
    ),
}
