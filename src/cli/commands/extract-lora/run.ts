/** `strata extract-lora`: a fine-tuned model and its base → a PEFT adapter, or the plan of it. */
import { fault } from '#core'
import { describeExtraction, openExtraction, writeExtraction } from '#experiment/write'
import type { CommandRun } from '../../spec/command.ts'
import type { Flags } from './flags.ts'
import { extractionLines } from './extraction-lines.ts'

export const run: CommandRun<Flags> = async (_args, flags, terminal) => {
  const model = needed(flags.model, '--model', 'the fine-tuned model')
  const base = needed(flags.baseModel, '--base-model', 'the model it was tuned from')
  const call = { signal: terminal.signal, onProgress: terminal.progress }
  const target = flags.dryRun === true ? '' : needed(flags.outPath, '--out-path', 'the folder to write, or --dry-run')
  const opened = await openExtraction(model, base, {
    maxRank: flags.maxRank,
    svEpsilon: flags.svEpsilon,
    distributeScale: flags.distributeScale !== false,
    embedLora: flags.embedLora === true,
    skipUndecomposable: flags.skipUndecomposable === true,
    saveModules: flags.saveModule ?? [],
    include: patterns(flags.includeRegex, '--include-regex'),
    exclude: patterns(flags.excludeRegex, '--exclude-regex'),
    ...call,
  })
  try {
    if (flags.dryRun === true) {
      const plan = describeExtraction(opened)
      if (flags.json === true) terminal.print(JSON.stringify(plan))
      else for (const line of extractionLines(plan)) terminal.print(line)
      return 0
    }
    const written = await writeExtraction(opened, target, { ...call, overwrite: flags.overwrite === true })
    if (flags.json === true) {
      terminal.print(JSON.stringify(written))
      return 0
    }
    for (const note of written.notes) terminal.note(note)
    const again = written.resumed > 0 ? ` (${written.resumed} already done)` : ''
    terminal.print(
      `${written.modules} modules${again}, rank ${written.rank}, ${(written.bytes / 1e6).toFixed(1)} MB → ${written.folder}`,
    )
    terminal.print(`the factors keep ${(100 * written.kept).toFixed(2)} % of the squared change of these modules`)
    return 0
  } finally {
    await opened.close()
  }
}

function needed(value: string | undefined, flag: string, what: string): string {
  if (value !== undefined && value !== '') return value
  throw fault('usage.value', { place: 'strata extract-lora', what: `${flag} is missing`, wanted: what })
}

/** Python's `(?i)` at the front is supported. */
function patterns(written: readonly string[] = [], flag: string): RegExp[] {
  return written.map((text) => {
    const insensitive = text.startsWith('(?i)')
    try {
      return new RegExp(insensitive ? text.slice('(?i)'.length) : text, insensitive ? 'i' : '')
    } catch (cause) {
      throw fault('usage.value', { place: flag, what: 'must be a regular expression', seen: text, cause })
    }
  })
}
