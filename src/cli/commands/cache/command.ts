/** Help of `strata cache`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'cache',
  group: 'keep',
  summary: 'show, trim or clear the cache of layer vectors',
  args: [['[action]', 'show (default), trim, clear']],
  examples: ['strata cache', 'strata cache trim --size 10G'],
}
