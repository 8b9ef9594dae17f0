/** `strata search`: the best checkpoint × layer under a budget, or policies over scores that are recorded. */
import type { CommandRun } from '../../spec/command.ts'
import { allBut, refuseFlags } from '../../options/acting-flags.ts'
import { command, live, replayed } from './command.ts'
import { liveSearch } from './live-search.ts'
import { replaySearch } from './replay-search.ts'

export const run: CommandRun<typeof command> = (models, flags, terminal) => {
  if (flags.replay === undefined) {
    refuseFlags(flags, allBut(command.flags, live), { what: 'has no effect without --replay', hint: 'leave it out' })
    return liveSearch(models, flags, terminal)
  }
  refuseFlags(flags, allBut(command.flags, replayed), {
    what: 'has no effect with --replay, which scores nothing',
    hint: 'leave it out',
  })
  return replaySearch(flags.replay, models, flags, terminal)
}
