/**
 * `strata merge`: a recipe → a folder, or its plan; several recipes → one folder each, from one pass over the inputs.
 */
import { stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { fault } from '#core'
import {
  describeMerge,
  mergeLicences,
  mergeSteps,
  type MergeTarget,
  writeMerges,
  type WriteMergeOptions,
  type WrittenMerge,
} from '#experiment/write'
import { type MoeOptions, type OpenedMerge, openMergeFile } from '#experiment/open'
import type { PlanOptions } from '#model/merge'
import type { CommandRun, Terminal } from '../../spec/command.ts'
import { memory, outShardSize, overwrite } from '../../flags/writing.ts'
import { threads } from '../../flags/machine.ts'
import { dryRun } from '../../flags/everywhere.ts'
import { refuseFlags } from '../../options/acting-flags.ts'
import { cacheFolder } from '../../options/model-options.ts'
import { type Flags, inputHashes } from './flags.ts'
import { mergeLines } from './merge-lines.ts'

export const run: CommandRun<Flags> = async (args, flags, terminal) => {
  const { recipes, out } = await recipesAndOut(args, flags.dryRun === true || flags.steps === true)
  if (flags.steps === true)
    refuseFlags(flags, [dryRun, outShardSize, memory, threads, inputHashes, overwrite], {
      what: 'has no effect with --steps, which writes nothing',
      hint: 'leave one of them out',
    })
  const opened: OpenedMerge[] = []
  try {
    for (const recipe of recipes)
      opened.push(
        await openMergeFile(recipe, { ...planOptions(flags), signal: terminal.signal, onProgress: terminal.progress }),
      )
    if (flags.steps === true) {
      for (const merge of opened) await printSteps(merge, flags, terminal)
      return 0
    }
    const options = writeOptions(flags, terminal)
    if (flags.dryRun === true) {
      await printPlans(opened, options, flags, terminal)
      return 0
    }
    for (const written of await writeMerges(targetsOf(opened, recipes, out), options))
      printWritten(written, flags, terminal)
    return 0
  } finally {
    await Promise.all(opened.map((merge) => merge.close()))
  }
}

/** As JSON in the form of metrics, which `strata report --context` shows next to the scores of the same recipe. */
async function printSteps(merge: OpenedMerge, flags: Flags, terminal: Terminal): Promise<void> {
  const steps = await mergeSteps(merge, { signal: terminal.signal, onProgress: terminal.progress })
  const name = `merge__${merge.stem}`
  if (flags.json === true) {
    const ratios = Object.fromEntries(steps.map(({ model, ratio }) => [`step of ${basename(model)}`, ratio]))
    terminal.print(JSON.stringify({ model: name, revision: null, layers: { logits: ratios } }))
    return
  }
  if (steps.length === 0) terminal.print(`${name}: no base, so no step to measure`)
  for (const { model, ratio } of steps) {
    terminal.print(`${name}: ‖merged − base‖ is ${ratio.toFixed(3)} of ‖${model} − base‖`)
    if (ratio === 0) terminal.note(`${model} equals the base, or nothing was merged: its weight has no effect`)
  }
}

/** The last argument is the folder; a plan needs none, so a file there is one more recipe. */
async function recipesAndOut(
  args: readonly string[],
  dryRun: boolean,
): Promise<{ recipes: readonly string[]; out: string }> {
  const last = args.at(-1) ?? ''
  if (dryRun && (args.length === 1 || (await isFile(last)))) return { recipes: args, out: '' }
  if (args.length < 2) {
    throw fault('usage.value', {
      place: 'strata merge',
      what: 'no output folder is given',
      hint: `strata merge ${last} ./merged, or --dry-run for the plan`,
    })
  }
  return { recipes: args.slice(0, -1), out: last }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

/** Each of several recipes gets its own folder inside the given one, named after its file. */
function targetsOf(opened: readonly OpenedMerge[], recipes: readonly string[], out: string): MergeTarget[] {
  if (opened.length === 1) return opened.map((merge) => ({ opened: merge, target: out }))
  return opened.map((merge, k) => ({
    opened: merge,
    target: join(out, basename(recipes[k] ?? '', extname(recipes[k] ?? ''))),
  }))
}

function planOptions({
  compat,
  randomSeed,
  dryRun,
  iUnderstandThisIsNotUsefulWithoutTraining: untrained,
}: Flags): PlanOptions & MoeOptions {
  return {
    compat,
    seed: randomSeed,
    planOnly: dryRun === true,
    untrained: untrained === true,
  }
}

function writeOptions(flags: Flags, terminal: Terminal): WriteMergeOptions {
  return {
    memoryBytes: flags.memory,
    maxShardBytes: flags.outShardSize,
    threads: flags.threads,
    hashInputs: flags.inputHashes !== false,
    overwrite: flags.overwrite === true,
    hashes: join(cacheFolder(), 'hashes.jsonl'),
    signal: terminal.signal,
    onProgress: terminal.progress,
  }
}

async function printPlans(
  opened: readonly OpenedMerge[],
  options: WriteMergeOptions,
  flags: Flags,
  terminal: Terminal,
): Promise<void> {
  for (const [k, merge] of opened.entries()) {
    const plan = describeMerge(merge, options)
    const licences = await mergeLicences(merge)
    if (flags.json === true) terminal.print(JSON.stringify({ ...plan, licences }))
    else for (const line of [...(k > 0 ? [''] : []), ...mergeLines(plan, licences)]) terminal.print(line)
  }
}

function printWritten(written: WrittenMerge, flags: Flags, terminal: Terminal): void {
  if (flags.json === true) {
    terminal.print(JSON.stringify(written))
    return
  }
  for (const note of written.notes) terminal.note(note)
  const again = written.resumed > 0 ? ` (${written.resumed} already done)` : ''
  terminal.print(
    `${written.tensors} tensors${again}, ${(written.bytes / 1e9).toFixed(2)} GB in ${written.files.length} file${written.files.length === 1 ? '' : 's'} → ${written.folder}`,
  )
  for (const { model, ratio } of written.steps)
    terminal.print(`‖merged − base‖ is ${ratio.toFixed(3)} of ‖${model} − base‖`)
}
