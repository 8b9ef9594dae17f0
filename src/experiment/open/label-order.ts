/** Classifiers whose configs number the same labels in other orders: rows of their heads are put in one order. */
import { dtypeBytes, fault, fingerprint, type TensorInfo, type TensorSource } from '#core'
import { isObject } from '#files/formats'
import { tensorRoles } from '#model/architectures'
import type { MergeInput } from './opened-merge.ts'

interface Head {
  readonly labels: readonly string[]
  /** Weight and bias of the layer that gives a logit per label. */
  readonly tensors: ReadonlySet<string>
}

/**
 * The inputs with the rows of their heads as the donor's `id2label` orders them, and a note for each that was in
 * another order. Labels without names (`LABEL_0` …) are taken in their own order. Throws `usage.conflict` where names
 * differ, or where one stands for several labels.
 */
export function inLabelOrder(
  inputs: readonly MergeInput[],
  donor: number,
): { inputs: readonly MergeInput[]; notes: readonly string[] } {
  const heads = inputs.map(findHead)
  const at = heads[donor] === undefined ? heads.findIndex((head) => head !== undefined) : donor
  const [wanted, first] = [heads[at]?.labels, inputs[at]]
  if (wanted === undefined || first === undefined) return { inputs, notes: [] }
  const notes: string[] = []
  const ordered = inputs.map((input, index) => {
    const head = heads[index]
    if (head === undefined || head.labels.join('\n') === wanted.join('\n')) return input
    // A head of another size is reported with its shape.
    if (head.labels.length !== wanted.length || isUnnamed(head.labels) || isUnnamed(wanted)) return input
    const rows = wanted.map((label) => head.labels.indexOf(label))
    if (rows.includes(-1) || new Set(rows).size < rows.length)
      throw fault('usage.conflict', {
        place: `${input.model} › id2label`,
        what: `the labels are not those of ${first.model}`,
        seen: head.labels.slice(0, 8).join(', '),
        wanted: wanted.slice(0, 8).join(', '),
        hint: 'merge classifiers of the same labels, or give id2label in config.json the same names',
      })
    notes.push(`${input.model} has its labels in another order than ${first.model}: they are merged by name`)
    return { ...input, tensors: withRows(input.tensors, head.tensors, rows) }
  })
  return { inputs: ordered, notes }
}

/** Undefined for a model without a classifier's head, or without names for what it gives. */
function findHead({ config, tensors }: MergeInput): Head | undefined {
  const labels = readLabels(config['id2label'])
  if (labels === undefined) return undefined
  const names = tensors.names()
  const roleOf = tensorRoles(config, names)
  const found = names.filter((name) => {
    const { slot, layer } = roleOf(name)
    const isHead = slot === 'head.sequence.out' || (slot === undefined && layer === undefined && headName.test(name))
    return isHead && tensors.info(name)?.shape[0] === labels.length
  })
  return found.length === 0 ? undefined : { labels, tensors: new Set(found) }
}

/** In families that no table of names knows. */
const headName = /(?:^|\.)(?:classifier|score|out_proj)\.(?:weight|bias)$/

function readLabels(value: unknown): string[] | undefined {
  if (!isObject(value)) return undefined
  const labels = Object.keys(value).map((_, index) => value[String(index)])
  return labels.length > 0 && labels.every((label) => typeof label === 'string') ? labels : undefined
}

function isUnnamed(labels: readonly string[]): boolean {
  return labels.every((label, index) => label === `LABEL_${index}`)
}

/** `rows`: for each row of the result, the one it comes from. */
function withRows(source: TensorSource, tensors: ReadonlySet<string>, rows: readonly number[]): TensorSource {
  return {
    ...source,
    async read(name) {
      const [bytes, info] = [await source.read(name), source.info(name)]
      return info === undefined || !tensors.has(name) ? bytes : inOrder(bytes, info, rows)
    },
    locate: (name) => (tensors.has(name) ? undefined : source.locate(name)),
    identity: async () => fingerprint({ identity: await source.identity(), rows, tensors: [...tensors] }),
  }
}

function inOrder(bytes: Uint8Array, { dtype, shape }: TensorInfo, rows: readonly number[]): Uint8Array {
  const rowBytes = dtypeBytes(dtype) * shape.slice(1).reduce((product, size) => product * size, 1)
  const out = new Uint8Array(bytes.length)
  rows.forEach((from, to) => out.set(bytes.subarray(from * rowBytes, (from + 1) * rowBytes), to * rowBytes))
  return out
}
