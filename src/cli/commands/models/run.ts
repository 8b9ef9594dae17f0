/**
 * `strata models`: describes a model, or a file of tensors. Every reference gets an answer; a bad one does not hide the
 * others.
 */
import { asText } from '#result/report'
import { asFault, quantity } from '#core'
import { describe, type Description } from '#experiment/open'
import type { CommandRun, Terminal } from '../../spec/command.ts'
import type { Flags } from './flags.ts'
import { modelOptions } from '../../options/model-options.ts'
import { row } from '../../lines/rows.ts'
import { useLine } from './use-line.ts'

export const run: CommandRun<Flags> = async (references, flags, terminal) => {
  let failed = 0
  for (const reference of references) {
    try {
      const description = await describe(reference, modelOptions(flags, terminal))
      if (flags.json === true) terminal.print(JSON.stringify(description))
      else print(description, terminal)
    } catch (error) {
      if (references.length === 1) throw error
      failed++
      const { code, message, hint } = asFault(error, 'internal', reference)
      const lines = [`error ${code}  ${message}`, ...(hint === undefined ? [] : [`  ${hint}`])]
      for (const line of flags.json === true
        ? [JSON.stringify({ error: { code, message, hint: hint ?? null } })]
        : lines)
        terminal.print(line)
    }
  }
  return failed > 0 ? 1 : 0
}

function print(description: Description, terminal: Terminal): void {
  if (description.kind === 'tensors') {
    const rows = description.tensors.map(({ name, dtype, shape, byteLength }) => [
      name,
      dtype,
      `[${shape.join(', ')}]`,
      megabytes(byteLength),
    ])
    for (const line of asText({
      columns: [{ title: 'tensor' }, { title: 'dtype' }, { title: 'shape' }, { title: 'size', number: true }],
      rows,
    }))
      terminal.print(line)
    terminal.print('')
    terminal.print(
      `${quantity(description.tensors.length, 'tensor')}, ${megabytes(description.bytes)} in ${description.name}`,
    )
    return
  }
  const { model, revision, type, states, settings, facts, memoryBytes, uses } = description
  const show = (name: string, text: string): void => terminal.print(row(name, text))
  show('model', revision === null ? `${model} (a folder)` : `${model} @ ${revision}`)
  show('family', type === 'static' ? facts.family : `${facts.family} (${facts.modelType})`)
  if (states > 0) show('states', `${states}: embedding output and ${quantity(facts.layers, 'block')}`)
  show('width', `${facts.width}`)
  // those of a graph are not counted
  if (facts.tensors > 0)
    show(
      'parameters',
      `${facts.parameters.toLocaleString('en')} in ${quantity(facts.tensors, 'tensor')}, ${Object.entries(facts.dtypes)
        .map(([dtype, count]) => `${count} ${dtype}`)
        .join(', ')}, ${megabytes(facts.weightBytes)}`,
    )
  if (facts.vocabulary !== undefined) show('vocabulary', facts.vocabulary.toLocaleString('en'))
  show(
    'reads',
    `${settings.pooling.join('+') || (settings.graph === true ? 'vectors of its graph' : 'mean of token rows')}, at most ${settings.maxLength} tokens${type === 'static' ? '' : `, final norm ${settings.finalNorm}`}`,
  )
  if (facts.modules.length > 0) show('modules', facts.modules.join(' → '))
  if (facts.heads.length > 0) show('heads', facts.heads.join(', '))
  if (facts.adapters !== undefined) show('adapters', facts.adapters.join(', '))
  for (const use of uses) show('asked as', useLine(use))
  for (const [name, prompt] of Object.entries(facts.prompts)) show('prompt', `${name}: ${JSON.stringify(prompt)}`)
  show('memory', `≤ ${megabytes(memoryBytes)}`)
  for (const note of facts.notes) show('note', note)
}

function megabytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
