/** The module of every command: it loads when the command runs. */
import type { Terminal } from './command.ts'
import type { CommandName, CommandRun, FlagsOf } from './commands.ts'

export async function runCommand<Name extends CommandName>(
  name: Name,
  args: readonly string[],
  flags: FlagsOf<Name>,
  terminal: Terminal,
): Promise<number> {
  const { run } = await modules[name]()
  return run(args, flags, terminal)
}

const modules: { readonly [Name in CommandName]: () => Promise<{ run: CommandRun<Name> }> } = {
  layers: () => import('./commands/layers.ts'),
  evaluate: () => import('./commands/evaluate.ts'),
  generate: () => import('./commands/generate.ts'),
  harness: () => import('./commands/harness.ts'),
  similarity: () => import('./commands/similarity.ts'),
  metrics: () => import('./commands/metrics.ts'),
  probe: () => import('./commands/probe.ts'),
  encode: () => import('./commands/encode.ts'),
  aggregate: () => import('./commands/aggregate.ts'),
  run: () => import('./commands/run.ts'),
  search: () => import('./commands/search.ts'),
  truncate: () => import('./commands/truncate.ts'),
  tasks: () => import('./commands/tasks.ts'),
  merge: () => import('./commands/merge.ts'),
  'extract-lora': () => import('./commands/extract-lora.ts'),
  tokensurgeon: () => import('./commands/tokensurgeon.ts'),
  export: () => import('./commands/export.ts'),
  push: () => import('./commands/push.ts'),
  pull: () => import('./commands/pull.ts'),
  results: () => import('./commands/results.ts'),
  compare: () => import('./commands/compare.ts'),
  correlate: () => import('./commands/correlate.ts'),
  report: () => import('./commands/report.ts'),
  verify: () => import('./commands/verify.ts'),
  models: () => import('./commands/models.ts'),
  cache: () => import('./commands/cache.ts'),
  doctor: () => import('./commands/doctor.ts'),
}
