/** `strata locales`: a study of merges for locales, or a comparison of results that are there. */
import { fault, suggestion } from '#core'
import type { CommandRun } from '../../spec/command.ts'
import { allBut, refuseFlags } from '../../options/acting-flags.ts'
import { aggregate } from './aggregate.ts'
import { aggregating, flags as all, type Flags, studying } from './flags.ts'
import { study } from './study.ts'

const actions = ['aggregate'] as const

export const run: CommandRun<Flags> = async ([action, ...rest], flags, terminal) => {
  checkPageName(flags.out) // refused before the work
  if (action === undefined) {
    refuseFlags(flags, allBut(all, studying), {
      what: 'has no effect on a study',
      hint: 'give it to strata locales aggregate',
    })
    return study([], flags, terminal)
  }
  if (action !== 'aggregate')
    throw fault('usage.value', {
      place: 'strata locales',
      what: 'no such action',
      seen: action,
      hint: suggestion(action, actions),
    })
  refuseFlags(flags, allBut(all, aggregating), {
    what: 'has no effect on strata locales aggregate',
    hint: 'leave it out',
  })
  const [folder = flags.results] = rest
  return aggregate(folder, flags, terminal)
}

function checkPageName(out: Flags['out']): void {
  if (out !== undefined && !/\.html?$/i.test(out))
    throw fault('usage.value', {
      place: '--out',
      what: 'not the name of a page',
      seen: out,
      wanted: 'a name that ends in .html',
    })
}
