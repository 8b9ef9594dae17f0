/** The plan of a merge: its output, its cost, and remarks. */
import { duration, roughBytes } from '#core'
import type { MergeDescription } from '#experiment/write'
import { type JoinedLicence, licenceText, type StatedLicence } from '#files/cards'
import { row } from '../../lines/rows.ts'

export function mergeLines(merge: MergeDescription, licences: JoinedLicence): string[] {
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
    ...licences.inputs.map(({ model, licence }) => row('licence', `${model}: ${licenceWords(licence)}`)),
    row('licence', `of the merge: ${licenceWords(licences.licence)}`),
    ...[...licences.notes, ...merge.notes].map((note) => row('notice', note)),
  ]
}

function licenceWords(licence: StatedLicence | undefined): string {
  return licence === undefined ? 'unknown' : licenceText(licence)
}
