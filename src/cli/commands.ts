/**
 * Every command, in the order of the help: its help, and the modules of its flags and of its run, which load when they
 * are needed. `--help`, docs/cli.md, the strict parser and the types of the flags derive from them.
 */
import type { Command, CommandRun, CommandWords, Terminal } from './spec/command.ts'
import type { FlagValues } from './spec/flag-values.ts'
import type { Flag } from './spec/flag.ts'
import { command as aggregate } from './commands/aggregate/command.ts'
import { command as bench } from './commands/bench/command.ts'
import { command as board } from './commands/board/command.ts'
import { command as cache } from './commands/cache/command.ts'
import { command as compare } from './commands/compare/command.ts'
import { command as completion } from './commands/completion/command.ts'
import { command as correlate } from './commands/correlate/command.ts'
import { command as distill } from './commands/distill/command.ts'
import { command as doctor } from './commands/doctor/command.ts'
import { command as encode } from './commands/encode/command.ts'
import { command as evaluate } from './commands/evaluate/command.ts'
import { command as exportModel } from './commands/export/command.ts'
import { command as extractLora } from './commands/extract-lora/command.ts'
import { command as frontier } from './commands/frontier/command.ts'
import { command as generate } from './commands/generate/command.ts'
import { command as harness } from './commands/harness/command.ts'
import { command as layers } from './commands/layers/command.ts'
import { command as locales } from './commands/locales/command.ts'
import { command as merge } from './commands/merge/command.ts'
import { command as metrics } from './commands/metrics/command.ts'
import { command as models } from './commands/models/command.ts'
import { command as moments } from './commands/moments/command.ts'
import { command as plugin } from './commands/plugin/command.ts'
import { command as probe } from './commands/probe/command.ts'
import { command as pull } from './commands/pull/command.ts'
import { command as push } from './commands/push/command.ts'
import { command as report } from './commands/report/command.ts'
import { command as results } from './commands/results/command.ts'
import { command as run } from './commands/run/command.ts'
import { command as search } from './commands/search/command.ts'
import { command as serve } from './commands/serve/command.ts'
import { command as similarity } from './commands/similarity/command.ts'
import { command as tasks } from './commands/tasks/command.ts'
import { command as transplant } from './commands/transplant/command.ts'
import { command as truncate } from './commands/truncate/command.ts'
import { command as verify } from './commands/verify/command.ts'

export const commands: readonly Command[] = [
  entry(
    models,
    () => import('./commands/models/flags.ts'),
    () => import('./commands/models/run.ts'),
  ),
  entry(
    tasks,
    () => import('./commands/tasks/flags.ts'),
    () => import('./commands/tasks/run.ts'),
  ),
  entry(
    similarity,
    () => import('./commands/similarity/flags.ts'),
    () => import('./commands/similarity/run.ts'),
  ),
  entry(
    metrics,
    () => import('./commands/metrics/flags.ts'),
    () => import('./commands/metrics/run.ts'),
  ),
  entry(
    plugin,
    () => import('./commands/plugin/flags.ts'),
    () => import('./commands/plugin/run.ts'),
  ),
  entry(
    doctor,
    () => import('./commands/doctor/flags.ts'),
    () => import('./commands/doctor/run.ts'),
  ),
  entry(
    completion,
    () => import('./commands/completion/flags.ts'),
    async () => ({ run: (await import('./commands/completion/run.ts')).makeCompletion(commands) }),
  ),
  entry(
    merge,
    () => import('./commands/merge/flags.ts'),
    () => import('./commands/merge/run.ts'),
  ),
  entry(
    moments,
    () => import('./commands/moments/flags.ts'),
    () => import('./commands/moments/run.ts'),
  ),
  entry(
    aggregate,
    () => import('./commands/aggregate/flags.ts'),
    () => import('./commands/aggregate/run.ts'),
  ),
  entry(
    layers,
    () => import('./commands/layers/flags.ts'),
    () => import('./commands/layers/run.ts'),
  ),
  entry(
    frontier,
    () => import('./commands/frontier/flags.ts'),
    () => import('./commands/frontier/run.ts'),
  ),
  entry(
    evaluate,
    () => import('./commands/evaluate/flags.ts'),
    () => import('./commands/evaluate/run.ts'),
  ),
  entry(
    harness,
    () => import('./commands/harness/flags.ts'),
    () => import('./commands/harness/run.ts'),
  ),
  entry(
    probe,
    () => import('./commands/probe/flags.ts'),
    () => import('./commands/probe/run.ts'),
  ),
  entry(
    bench,
    () => import('./commands/bench/flags.ts'),
    () => import('./commands/bench/run.ts'),
  ),
  entry(
    verify,
    () => import('./commands/verify/flags.ts'),
    () => import('./commands/verify/run.ts'),
  ),
  entry(
    search,
    () => import('./commands/search/flags.ts'),
    () => import('./commands/search/run.ts'),
  ),
  entry(
    run,
    () => import('./commands/run/flags.ts'),
    () => import('./commands/run/run.ts'),
  ),
  entry(
    compare,
    () => import('./commands/compare/flags.ts'),
    () => import('./commands/compare/run.ts'),
  ),
  entry(
    correlate,
    () => import('./commands/correlate/flags.ts'),
    () => import('./commands/correlate/run.ts'),
  ),
  entry(
    report,
    () => import('./commands/report/flags.ts'),
    () => import('./commands/report/run.ts'),
  ),
  entry(
    locales,
    () => import('./commands/locales/flags.ts'),
    () => import('./commands/locales/run.ts'),
  ),
  entry(
    results,
    () => import('./commands/results/flags.ts'),
    () => import('./commands/results/run.ts'),
  ),
  entry(
    encode,
    () => import('./commands/encode/flags.ts'),
    () => import('./commands/encode/run.ts'),
  ),
  entry(
    exportModel,
    () => import('./commands/export/flags.ts'),
    () => import('./commands/export/run.ts'),
  ),
  entry(
    truncate,
    () => import('./commands/truncate/flags.ts'),
    () => import('./commands/truncate/run.ts'),
  ),
  entry(
    extractLora,
    () => import('./commands/extract-lora/flags.ts'),
    () => import('./commands/extract-lora/run.ts'),
  ),
  entry(
    distill,
    () => import('./commands/distill/flags.ts'),
    () => import('./commands/distill/run.ts'),
  ),
  entry(
    transplant,
    () => import('./commands/transplant/flags.ts'),
    () => import('./commands/transplant/run.ts'),
  ),
  entry(
    generate,
    () => import('./commands/generate/flags.ts'),
    () => import('./commands/generate/run.ts'),
  ),
  entry(
    serve,
    () => import('./commands/serve/flags.ts'),
    () => import('./commands/serve/run.ts'),
  ),
  entry(
    board,
    () => import('./commands/board/flags.ts'),
    () => import('./commands/board/run.ts'),
  ),
  entry(
    push,
    () => import('./commands/push/flags.ts'),
    () => import('./commands/push/run.ts'),
  ),
  entry(
    pull,
    () => import('./commands/pull/flags.ts'),
    () => import('./commands/pull/run.ts'),
  ),
  entry(
    cache,
    () => import('./commands/cache/flags.ts'),
    () => import('./commands/cache/run.ts'),
  ),
]

function entry<const Flags extends readonly Flag[]>(
  words: CommandWords,
  loadFlags: () => Promise<{ flags: Flags }>,
  loadRun: () => Promise<{ run: CommandRun<FlagValues<Flags[number]>> }>,
): Command {
  return {
    words,
    loadFlags: async () => (await loadFlags()).flags,
    run: async (args, values, terminal) => {
      if (values['plugin'] !== undefined) await loadPlugins(values['plugin'] as readonly string[], terminal)
      const { run } = await loadRun()
      // a parser made from these flags returns their values
      return run(args, values as FlagValues<Flags[number]>, terminal)
    },
  }
}

/** Before anything runs: the tables have their further entries when the first name is looked up. */
async function loadPlugins(paths: readonly string[], terminal: Terminal): Promise<void> {
  const { usePlugins } = await import('#experiment/plugins')
  for (const { kind, name, source } of await usePlugins(paths)) terminal.note(`${source.path}: ${kind} ${name}`)
}
