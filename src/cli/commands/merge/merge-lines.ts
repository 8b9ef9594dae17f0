/** The plan of a merge: its output, its cost, and remarks. */
import { duration, roughBytes } from '#core'
import type { MergeDescription } from '#experiment/write'
import { row } from '../../lines/rows.ts'

export function mergeLines(merge: MergeDescription): string[] {
  return [
    row('method', `${merge.method} (${merge.compat})${merge.base === null ? '' : `, base ${merge.base}`}`),
    ...merge.inputs.map((name) => row('input', name)),
    ...merge.further.map((name) => row('further', name)),
    row(
      'output',
      `${merge.tensors} tensors, ${merge.parameters.toLocaleString('en')} parameters, ${Object.keys(merge.dtypes).join(' + ')}, in ${merge.shards.length} file${merge.shards.length === 1 ? '' : 's'}`,
    ),
    row('disk', `reads ${roughBytes(merge.readBytes)}, writes ${roughBytes(merge.writtenBytes)}`),
    row('memory', `≤ ${roughBytes(merge.memoryBytes)}`),
    row('time', `roughly ${duration(merge.seconds)} on two cores`),
    ...merge.notes.map((note) => row('notice', note)),
  ]
}
