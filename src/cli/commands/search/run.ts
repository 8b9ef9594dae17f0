/** `strata search`: the best checkpoint × layer under a budget, or policies over recorded scores. */
import type { CommandRun } from '../../spec/command.ts'
import { allBut, refuseFlags } from '../../options/acting-flags.ts'
import { flags as known, live, type Flags } from './flags.ts'
import { liveSearch } from './live-search.ts'
import { replaySearch } from './replay-search.ts'

export const run: CommandRun<Flags> = (models, flags, terminal) => {
  if (flags.replay === undefined) {
    refuseFlags(flags, allBut(known, live), { what: 'has no effect without --replay', hint: 'leave it out' })
    return liveSearch(models, flags, terminal)
  }
  return replaySearch(flags.replay, models, flags, terminal)
}
