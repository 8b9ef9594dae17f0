/** `strata merge`: a recipe → a folder, or its plan. */
import { fault } from '../../core/index.ts'
import { describeMerge, mergeLines, openMergeFile, writeMerge } from '../../experiment/index.ts'
import type { Compat } from '../../merge/index.ts'
import type { CommandRun } from '../command.ts'

export const run: CommandRun = async ([recipe = '', out], flags, terminal) => {
  if (out === undefined && flags.dryRun !== true) {
    throw fault('usage.value', { place: 'strata merge', what: 'no output folder named', hint: `strata merge ${recipe} ./merged, or --dry-run for the plan` })
  }
  const options = {
    ...(flags.memory === undefined ? {} : { memoryBytes: flags.memory as number }),
    ...(flags.outShardSize === undefined ? {} : { maxShardBytes: flags.outShardSize as number }),
    ...(flags.threads === undefined ? {} : { threads: flags.threads as number }),
    overwrite: flags.overwrite === true,
    signal: terminal.signal,
    onProgress: terminal.progress,
  }
  const opened = await openMergeFile(recipe, {
    ...(flags.compat === undefined ? {} : { compat: flags.compat as Compat }),
    ...(flags.randomSeed === undefined ? {} : { seed: flags.randomSeed as number }),
    signal: terminal.signal,
    onProgress: terminal.progress,
  })
  try {
    if (flags.dryRun === true) {
      const plan = describeMerge(opened, options)
      if (flags.json === true) terminal.print(JSON.stringify(plan))
      else for (const line of mergeLines(plan)) terminal.print(line)
      return 0
    }
    const written = await writeMerge(opened, out ?? '', options)
    if (flags.json === true) {
      terminal.print(JSON.stringify(written))
      return 0
    }
    for (const note of written.notes) terminal.note(note)
    const again = written.resumed > 0 ? ` (${written.resumed} from before)` : ''
    terminal.print(
      `${written.tensors} tensors${again}, ${(written.bytes / 1e9).toFixed(2)} GB in ${written.files.length} file${written.files.length === 1 ? '' : 's'} → ${written.folder}`,
    )
    for (const { model, ratio } of written.steps) terminal.print(`‖merged − base‖ is ${ratio.toFixed(3)} of ‖${model} − base‖`)
    return 0
  } finally {
    await opened.close()
  }
}
