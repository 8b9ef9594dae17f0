/** `strata moments`: what a merge by Fisher information or Gram matrices has to know of a model. */
import { fault, quantity } from '#core'
import { writeMoments } from '#experiment/moments'
import { chooseTasks } from '#task/registry'
import { refuseFlags } from '../../options/acting-flags.ts'
import type { CommandRun } from '../../spec/command.ts'
import { seed } from '../../flags/sampling.ts'
import { type Flags, labels } from './flags.ts'

export const run: CommandRun<Flags> = async ([model, ...more], flags, terminal) => {
  const { kind, out, task: name, split, texts, maxLength } = flags
  if (model === undefined || more.length > 0 || out === undefined)
    throw fault('usage.value', {
      place: 'strata moments',
      what: model === undefined || out !== undefined ? 'reads one model' : 'no file is given to write',
      seen: model === undefined ? undefined : [model, ...more],
      hint: 'strata moments MODEL --subset sq-AL --out fisher.safetensors',
    })
  if (kind === 'gram')
    refuseFlags(flags, [labels, seed], { what: 'has no effect on Gram matrices', hint: 'leave it out' })
  const { tasks } = await chooseTasks([name])
  const [task, another] = tasks
  const subset = flags.subset ?? onlyOf(Object.keys(task?.subsets ?? {}))
  if (task === undefined || another !== undefined || subset === undefined)
    throw fault('usage.value', {
      place: subset === undefined ? '--subset' : '--task',
      what: subset === undefined ? `${name} has several subsets, of which one is read` : 'one task is read at a time',
      seen: tasks.length > 1 ? tasks.map((one) => one.name) : undefined,
      wanted: Object.keys(task?.subsets ?? {}).slice(0, 10),
    })
  const written = await writeMoments(model, out, {
    kind,
    task,
    subset,
    split,
    texts,
    labels: flags.labels,
    seed: flags.seed,
    maxLength,
    signal: terminal.signal,
    onProgress: terminal.progress,
  })
  const state = written.reused ? 'is as these settings would write it' : 'written'
  if (flags.json === true) terminal.print(JSON.stringify(written))
  else terminal.print(`${written.path} ${state}: ${quantity(written.texts, 'text')} of ${subset}`)
  return 0
}

function onlyOf(names: readonly string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined
}
