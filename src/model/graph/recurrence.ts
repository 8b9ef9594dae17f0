/**
 * A recurrence along the text as ONNX's Scan. Everything that its body uses goes in by name, constants as states that
 * stay as they are: OpenVINO's reader of graphs refuses a body that uses a value around it.
 */
import type { BlockSpec } from '#model/architectures'
import { createBuilder, type Builder, type Value } from './builder.ts'
import type { Wiring } from './wiring.ts'

/** What passes from column to column, [B × …dims]. */
export interface Carried {
  /** Its name among the states of tokens that passed before. */
  readonly part: string
  readonly dims: readonly number[]
  /** What a text begins with everywhere; 0 unless said otherwise. */
  readonly start?: number
}

/** A value with its dims: without the rows and columns of a sequence, which is [B × S × …dims]. */
export interface Shaped {
  readonly value: Value
  readonly dims: readonly number[]
}

export interface Recurrence {
  readonly carried: readonly Carried[]
  readonly constants?: readonly Shaped[]
  readonly sequences: readonly Shaped[]
  /** What a column gives, [B × …dims]. */
  readonly out: readonly number[]
}

/** What a step gets, in the order of the recurrence: carried states, constants, this column's values. */
export interface StepInputs {
  readonly body: Builder
  readonly carried: readonly Value[]
  readonly constants: readonly Value[]
  readonly now: readonly Value[]
}

export interface StepOutputs {
  readonly carried: readonly Value[]
  readonly out: Value
}

/** [B × S × …out]: `step` for every column, one after the other. A past gives the start and keeps the end. */
export function recur(
  { builder, ids, past }: Wiring,
  block: BlockSpec,
  { carried, constants = [], sequences, out }: Recurrence,
  step: (inputs: StepInputs) => StepOutputs,
): Value {
  const scope = builder.scope(`scan.${block.i}`)
  const body = createBuilder(scope)
  const inputs = (kind: string, all: readonly (readonly (number | string)[])[]): Value[] =>
    all.map((dims, index) => body.input(`${scope}${kind}.${index}`, 'float32', dims))
  const byRow = ({ dims }: Pick<Shaped, 'dims'>): readonly (number | string)[] => ['rows', ...dims]
  const before = inputs('before', carried.map(byRow))
  const fixed = inputs(
    'constant',
    constants.map(({ dims }) => dims),
  )
  const now = inputs('now', sequences.map(byRow))
  const result = step({ body, carried: before, constants: fixed, now })
  const kept = fixed.map((value) => body.node('Identity', [value]))
  const output = (name: Value, dims: readonly (number | string)[]) => ({ name, type: 'float32', dims }) as const
  const graph = {
    name: scope,
    nodes: body.nodes,
    initializers: body.initializers,
    inputs: body.inputs,
    outputs: [
      ...carried.map((state, index) => output(result.carried[index] ?? '', byRow(state))),
      ...constants.map(({ dims }, index) => output(kept[index] ?? '', dims)),
      output(result.out, ['rows', ...out]),
    ],
  } as const

  const rows = builder.node('Shape', [ids], { start: 0, end: 1 })
  const start = carried.map(({ part, dims, start: value = 0 }) => {
    const given = past?.before(block, part, dims)
    if (given !== undefined) return given
    const shape = builder.node('Concat', [rows, builder.int(dims)], { axis: 0 })
    return value === 0
      ? builder.node('ConstantOfShape', [shape])
      : builder.node('Expand', [builder.float(value), shape])
  })
  const ends = builder.split(
    'Scan',
    [...start, ...constants.map(({ value }) => value), ...sequences.map(({ value }) => value)],
    carried.length + constants.length + 1,
    {
      body: { graph },
      num_scan_inputs: sequences.length,
      scan_input_axes: sequences.map(() => 1),
      scan_output_axes: [1],
    },
  )
  carried.forEach(({ part, dims }, index) => past?.keep(block, part, ends[index] ?? '', dims))
  return ends.at(-1) ?? ''
}
