/** `strata tokensurgeon`: a model gets another's tokenizer, or the plan of it. */
import { fault } from '#core'
import { describeTransplant, transplantLines, writeTransplant } from '#experiment/make'
import { openTransplant } from '#experiment/open'
import type { TransplantOptions } from '#model/transplant'
import type { CommandRun } from '../command.ts'

export const run: CommandRun = async ([model = '', donor = '', out], flags, terminal) => {
  if (out === undefined && flags.dryRun !== true) {
    const hint = `strata tokensurgeon ${model} ${donor} ./out, or --dry-run for the plan`
    throw fault('usage.value', { place: 'strata tokensurgeon', what: 'no output folder named', hint })
  }
  const call = { signal: terminal.signal, onProgress: terminal.progress }
  const opened = await openTransplant(model, donor, {
    method: flags.approximationMethod as TransplantOptions['method'],
    k: Number(flags.k),
    weightScheme: flags.weightScheme as TransplantOptions['weightScheme'],
    cosineSimilarity: flags.cosineSimilarity === true,
    subwordMethod: flags.subwordMethod as TransplantOptions['subwordMethod'],
    batchSize: Number(flags.batchSize),
    prefixMatch: flags.prefixMatch as TransplantOptions['prefixMatch'],
    byteMatch: flags.byteMatch as TransplantOptions['byteMatch'],
    magikarp: flags.magikarp === true,
    newVocabNoise: Number(flags.newVocabNoise ?? 0),
    newVocabScale: Number(flags.newVocabScale ?? 1),
    seed: Number(flags.randomSeed ?? 0),
    ...call,
  })
  try {
    if (flags.dryRun === true) {
      if (flags.json === true) terminal.print(JSON.stringify(describeTransplant(opened)))
      else for (const line of transplantLines(opened)) terminal.print(line)
      return 0
    }
    if (flags.json !== true) for (const line of transplantLines(opened)) terminal.note(line)
    const written = await writeTransplant(opened, out ?? '', {
      ...(flags.memory === undefined ? {} : { memoryBytes: flags.memory as number }),
      ...(flags.outShardSize === undefined ? {} : { maxShardBytes: flags.outShardSize as number }),
      ...(flags.threads === undefined ? {} : { threads: flags.threads as number }),
      overwrite: flags.overwrite === true,
      ...call,
    })
    if (flags.json === true) {
      terminal.print(JSON.stringify(written))
      return 0
    }
    for (const note of written.notes.slice(opened.plan.notes.length)) terminal.note(note)
    const again = written.resumed > 0 ? ` (${written.resumed} from before)` : ''
    const files = `${written.files.length} file${written.files.length === 1 ? '' : 's'}`
    terminal.print(
      `${written.rows.toLocaleString('en')} tokens, ${written.tensors} tensors${again}, ${(written.bytes / 1e9).toFixed(2)} GB in ${files} → ${written.folder}`,
    )
    return 0
  } finally {
    await opened.close()
  }
}
