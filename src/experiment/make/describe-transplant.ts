/** The plan of a change of tokenizer as lines for a person. */
import { elementCount } from '#core'
import { approximations, type Kind } from '#model/transplant'
import type { OpenedTransplant } from '#experiment/open'

export interface TransplantDescription {
  readonly model: string
  readonly donor: string
  readonly method: string
  readonly rows: number
  readonly rowsBefore: number
  readonly tensors: readonly {
    readonly name: string
    readonly role: string
    readonly shape: readonly number[]
    readonly counts: Readonly<Record<Kind, number>>
  }[]
  readonly special: Readonly<Record<Kind, number>>
  readonly unchanged: number
  readonly readBytes: number
  readonly writtenBytes: number
  readonly memoryBytes: number
  readonly notes: readonly string[]
}

export function describeTransplant({ plan, model }: OpenedTransplant): TransplantDescription {
  const changed = new Set(plan.tensors.map(({ name }) => name))
  const others = model.tensors.names().flatMap((name) => (changed.has(name) ? [] : [model.tensors.info(name)?.byteLength ?? 0]))
  const unchanged = others.reduce((sum, bytes) => sum + bytes, 0)
  return {
    model: plan.model,
    donor: plan.donor,
    method: plan.options.method,
    rows: plan.rows,
    rowsBefore: plan.rowsBefore,
    tensors: plan.tensors.map(({ name, role, shape, rows: { counts } }) => ({ name, role, shape, counts })),
    special: plan.special,
    unchanged: others.length,
    readBytes: plan.readBytes + unchanged,
    writtenBytes: plan.writtenBytes + unchanged,
    memoryBytes: plan.memoryBytes,
    notes: plan.notes,
  }
}

export function transplantLines(opened: OpenedTransplant): string[] {
  const plan = describeTransplant(opened)
  const row = (name: string, text: string): string => `${name.padEnd(10)}  ${text}`
  const size = (bytes: number): string => (bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.ceil(bytes / 1e6)} MB`)
  const made = approximations[opened.plan.options.method].summary
  return [
    row('model', `${plan.model}, ${plan.rowsBefore.toLocaleString('en')} rows`),
    row('donor', `${plan.donor}, ${plan.rows.toLocaleString('en')} rows`),
    row('method', `${plan.method}: ${made}`),
    ...plan.tensors.map(({ name, shape, counts }) =>
      row('table', `${name} [${shape.join(' × ')}]: ${countsText(counts)}, of ${elementCount(shape.slice(0, 1)).toLocaleString('en')}`),
    ),
    row('special', countsText(plan.special)),
    row('unchanged', `${plan.unchanged} tensors`),
    row('disk', `reads ${size(plan.readBytes)}, writes ${size(plan.writtenBytes)}`),
    row('memory', `≤ ${size(plan.memoryBytes)}`),
    ...plan.notes.map((note) => row('notice', note)),
  ]
}

const words: Readonly<Record<Kind, string>> = { shared: 'shared', byte: 'by byte', prefix: 'by prefix', made: 'approximated', zero: 'zero' }

/** `1,204 shared, 310 approximated`: kinds that occur, and always these two. */
export function countsText(counts: Readonly<Record<Kind, number>>): string {
  return (Object.keys(words) as Kind[])
    .filter((kind) => counts[kind] > 0 || kind === 'shared' || kind === 'made')
    .map((kind) => `${counts[kind].toLocaleString('en')} ${words[kind]}`)
    .join(', ')
}
