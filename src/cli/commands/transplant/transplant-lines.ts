/** The plan of a change of tokenizer: the sources of the new vocabulary's rows, and the cost. */
import { elementCount, roughBytes, quantity } from '#core'
import type { TransplantDescription } from '#experiment/write'
import { approximations } from '#model/transplant'
import { row } from '../../lines/rows.ts'

export function transplantLines(plan: TransplantDescription): string[] {
  return [
    row('model', `${plan.model}, ${plan.rowsBefore.toLocaleString('en')} rows`),
    row('donor', `${plan.donor}, ${plan.rows.toLocaleString('en')} rows`),
    row('method', `${plan.method}: ${approximations[plan.method].summary}`),
    ...plan.tensors.map(({ name, shape, counts }) =>
      row(
        'table',
        `${name} [${shape.join(' × ')}]: ${countsText(counts)}, of ${elementCount(shape.slice(0, 1)).toLocaleString('en')}`,
      ),
    ),
    row('special', countsText(plan.special)),
    row('unchanged', quantity(plan.unchanged, 'tensor')),
    row('disk', `reads ${roughBytes(plan.readBytes)}, writes ${roughBytes(plan.writtenBytes)}`),
    row('memory', `≤ ${roughBytes(plan.memoryBytes)}`),
    ...plan.notes.map((note) => row('notice', note)),
  ]
}

type Counts = TransplantDescription['special']

const words = [
  ['shared', 'shared'],
  ['byte', 'by byte'],
  ['prefix', 'by prefix'],
  ['made', 'approximated'],
  ['zero', 'zero'],
] as const satisfies readonly (readonly [keyof Counts, string])[]

/** `1,204 shared, 310 approximated`: kinds that occur, and always these two. */
function countsText(counts: Counts): string {
  return words
    .filter(([kind]) => counts[kind] > 0 || kind === 'shared' || kind === 'made')
    .map(([kind, word]) => `${counts[kind].toLocaleString('en')} ${word}`)
    .join(', ')
}
