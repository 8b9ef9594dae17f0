/** `strata transplant`: gives a model another's tokenizer, or prints the plan. */
import { fault, quantity } from '#core'
import { describeTransplant, writeTransplant } from '#experiment/write'
import { openTransplant } from '#experiment/open'
import type { CommandRun } from '../../spec/command.ts'
import { refuseFlags } from '../../options/acting-flags.ts'
import { type Flags, cosineSimilarity, subwordMethod, weightScheme } from './flags.ts'
import { transplantLines } from './transplant-lines.ts'

export const run: CommandRun<Flags> = async ([model = '', donor = '', out], flags, terminal) => {
  if (out === undefined && flags.dryRun !== true) {
    const hint = `strata transplant ${model} ${donor} ./out, or --dry-run for the plan`
    throw fault('usage.value', { place: 'strata transplant', what: 'no output folder is given', hint })
  }
  refuseForeignFlags(flags)
  const call = { signal: terminal.signal, onProgress: terminal.progress }
  const opened = await openTransplant(model, donor, {
    method: flags.approximationMethod,
    k: flags.k,
    weightScheme: flags.weightScheme,
    cosineSimilarity: flags.cosineSimilarity === true,
    subwordMethod: flags.subwordMethod,
    batchSize: flags.batchSize,
    prefixMatch: flags.prefixMatch,
    byteMatch: flags.byteMatch,
    magikarp: flags.magikarp === true,
    newVocabNoise: flags.newVocabNoise,
    newVocabScale: flags.newVocabScale,
    seed: flags.randomSeed,
    ...call,
  })
  try {
    const plan = describeTransplant(opened)
    if (flags.dryRun === true) {
      if (flags.json === true) terminal.print(JSON.stringify(plan))
      else for (const line of transplantLines(plan)) terminal.print(line)
      return 0
    }
    if (flags.json !== true) for (const line of transplantLines(plan)) terminal.note(line)
    const written = await writeTransplant(opened, out ?? '', {
      memoryBytes: flags.memory,
      maxShardBytes: flags.outShardSize,
      threads: flags.threads,
      overwrite: flags.overwrite === true,
      ...call,
    })
    if (flags.json === true) {
      terminal.print(JSON.stringify(written))
      return 0
    }
    for (const note of written.notes.slice(opened.plan.notes.length)) terminal.note(note)
    const again = written.resumed > 0 ? ` (${written.resumed} already done)` : ''
    const files = `${written.files.length} file${written.files.length === 1 ? '' : 's'}`
    terminal.print(
      `${quantity(written.rows, 'token')}, ${quantity(written.tensors, 'tensor')}${again}, ${(written.bytes / 1e9).toFixed(2)} GB in ${files} → ${written.folder}`,
    )
    return 0
  } finally {
    await opened.close()
  }
}

/** Refuses flags of approximation methods other than the chosen one. */
function refuseForeignFlags(flags: Flags): void {
  const { approximationMethod: method } = flags
  for (const [owner, own] of [
    ['common_interpolation', [weightScheme, cosineSimilarity]],
    ['subword', [subwordMethod]],
  ] as const)
    if (method !== owner)
      refuseFlags(flags, own, {
        what: `has no effect on the method ${method}`,
        hint: `add --approximation-method ${owner}, or leave it out`,
      })
}
