/**
 * Columns declared as class labels: names in the files stand for their positions (`ClassLabel.str2int` of Hugging Face
 * datasets).
 */
import { fault, stripText } from '#core'

/**
 * Values of such a column as numbers; values that are not text stay. A text that is neither a name nor a position is a
 * `task.label` fault.
 */
export function classNumbers(values: readonly unknown[], names: readonly string[], place: string): unknown[] {
  const positions = new Map(names.map((name, position) => [name, position]))
  return values.map((value, row) => {
    if (typeof value !== 'string') return value
    const text = stripText(value)
    const number = positions.get(value) ?? positions.get(text) ?? (/^[+-]?\d+$/.test(text) ? Number(text) : NaN)
    // -1 is a row whose label is withheld
    if (number >= -1 && (number < names.length || names.length === 0)) return number
    throw fault('task.label', {
      place: `${place} › row ${row + 1}`,
      what: 'a label is not one of the declared names',
      seen: value,
      wanted: names.slice(0, 20),
    })
  })
}
