/** The plan of a change of tokenizer as facts. */
import type { Kind, TransplantOptions } from '#model/transplant'
import type { OpenedTransplant } from '#experiment/open'

export interface TransplantDescription {
  readonly model: string
  readonly donor: string
  readonly method: TransplantOptions['method']
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
  const others = model.tensors
    .names()
    .flatMap((name) => (changed.has(name) ? [] : [model.tensors.info(name)?.byteLength ?? 0]))
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
