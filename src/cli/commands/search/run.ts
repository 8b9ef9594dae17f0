/** `strata search`: the best checkpoint × layer under a budget, or policies over scores that are recorded. */
import type { CommandRun } from '../../spec/command.ts'
import type { command } from './command.ts'
import { liveSearch } from './live-search.ts'
import { replaySearch } from './replay-search.ts'

export const run: CommandRun<typeof command> = (models, flags, terminal) =>
  flags.replay === undefined ? liveSearch(models, flags, terminal) : replaySearch(flags.replay, models, flags, terminal)
