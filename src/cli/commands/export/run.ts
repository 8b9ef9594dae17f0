/** `strata export`: a representation as a model of its own. */
import { fault } from '#core'
import { exportModel } from '#experiment/write'
import type { CommandRun } from '../../spec/command.ts'
import type { Flags } from './flags.ts'
import { exportOptions } from '../../options/export-options.ts'

export const run: CommandRun<Flags> = async ([model = ''], flags, terminal) => {
  const { out } = flags
  const [representation = 'default', ...more] = flags.representation ?? []
  if (more.length > 0)
    throw fault('usage.value', {
      place: '--representation',
      what: 'only one representation can be exported to a folder',
      seen: [representation, ...more],
    })
  if (out === undefined)
    throw fault('usage.value', {
      place: '--out',
      what: 'no output folder is given',
      hint: `strata export ${model} --out ./exported`,
    })
  const exported = await exportModel(model, {
    ...exportOptions(flags, terminal),
    representation,
    out,
    command: commandLine(model, flags),
  })
  if (flags.json === true) {
    terminal.print(JSON.stringify(exported))
    return 0
  }
  const { blocks, layers, width, parameters, bytes, folder } = exported
  for (const note of exported.notes) terminal.note(note)
  const vectors = width === undefined ? '' : `, ${width} numbers per text`
  terminal.print(
    `${exported.representation}: ${blocks} of ${layers} blocks${vectors}, ${parameters.toLocaleString('en')} parameters, ${(bytes / 1e6).toFixed(1)} MB → ${folder}`,
  )
  return 0
}

/** The command line quoted on the card: the flags that determine the folder's content, in the order of the help. */
function commandLine(model: string, flags: Flags): string {
  const { representation, as: form, out, dtype, normalize, pooling, finalNorm, maxLength } = flags
  const values = {
    representation: representation?.join(','),
    as: form,
    out,
    dtype,
    pooling,
    'final-norm': finalNorm,
    'max-length': maxLength,
  }
  const words = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoted(String(value))}`],
  )
  return ['strata export', quoted(model), ...words, ...(normalize === true ? ['--normalize'] : [])].join(' ')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
