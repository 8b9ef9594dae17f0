/** Help of `strata tasks`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'tasks',
  group: 'look',
  summary: 'list tasks, or show everything about one',
  args: [['[names...]', 'names and globs']],
  examples: [
    'strata tasks "STS*"',
    'strata tasks SciFact',
    'strata tasks --benchmark "MTEB(eng, v2)" --unsupported',
    'strata tasks --runnable --count',
    'strata tasks STS17 --rows --subsets en-en --limit 3',
    'strata tasks SciFact --texts',
    'strata tasks --harness fetch 0.4.13',
    'strata tasks --harness "blimp*"',
  ],
}
