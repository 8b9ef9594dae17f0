/**
 * Edit distance to one reference, with the edits: a band along the diagonal, rows of the words that two calls begin
 * with alike kept (Tercom's search as sacreBLEU 2 has it).
 */

/** An edit that rewrites the hypothesis into the reference. */
export type Edit = 'keep' | 'swap' | 'insert' | 'delete'

export interface Edits {
  readonly cost: number
  readonly path: readonly Edit[]
}

const band = 25
const far = 1e9
const names = ['keep', 'swap', 'insert', 'delete'] as const

/** All hypotheses of one distance must be equally long. */
export function editsTo(reference: readonly string[], length: number): (words: readonly string[]) => Edits {
  const width = reference.length + 1
  const costs = new Int32Array((length + 1) * width)
  const steps = new Uint8Array((length + 1) * width).fill(2)
  for (let j = 0; j < width; j++) costs[j] = j
  const ratio = length > 0 ? reference.length / length : 1
  const reach = band < ratio / 2 ? Math.ceil(ratio / 2 + band) : band
  let before: readonly string[] = []

  function fillRow(i: number, word: string | undefined): void {
    const [row, above] = [i * width, (i - 1) * width]
    costs.fill(far, row, row + width)
    const middle = Math.floor(i * ratio)
    const end = i === length ? width : Math.min(width, middle + reach)
    for (let j = Math.max(0, middle - reach); j < end; j++) {
      // of equal costs the first: kept or swapped, deleted, inserted
      let [cost, step] = [far, 3]
      if (j > 0) {
        const same = word === reference[j - 1]
        ;[cost, step] = [(costs[above + j - 1] ?? far) + (same ? 0 : 1), same ? 0 : 1]
      }
      const deleted = (costs[above + j] ?? far) + 1
      if (deleted < cost) [cost, step] = [deleted, 3]
      const inserted = j > 0 ? (costs[row + j - 1] ?? far) + 1 : far
      if (inserted < cost) [cost, step] = [inserted, 2]
      costs[row + j] = cost
      steps[row + j] = step
    }
  }

  return (words) => {
    let same = 0
    while (same < before.length && before[same] === words[same]) same++
    for (let i = same + 1; i <= length; i++) fillRow(i, words[i - 1])
    before = words
    const path: Edit[] = []
    let [i, j] = [length, reference.length]
    while (i > 0 || j > 0) {
      const step = names[steps[i * width + j] ?? 0] ?? 'keep'
      path.push(step)
      if (step !== 'insert') i--
      if (step !== 'delete') j--
    }
    return { cost: costs[length * width + reference.length] ?? far, path: path.reverse() }
  }
}
