/** Help of `strata board`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'board',
  group: 'serve',
  summary: 'show folders of results, runs and searches as one page that follows them while they grow',
  args: [['<folders...>', 'folders of results, of runs, of searches, of lm-evaluation-harness, or above these']],
  examples: [
    'strata board results',
    'strata board runs results --port 9001',
    'strata board results --host 0.0.0.0 --api-key-env STRATA_KEY',
  ],
  keeps: 'nothing',
}
