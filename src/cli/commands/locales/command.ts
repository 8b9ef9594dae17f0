/** Help of `strata locales`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'locales',
  group: 'compare',
  summary: 'compare merges of related languages with plain averages, locale by locale',
  args: [
    ['<action>', 'aggregate'],
    ['[folder]', 'folder of results, as merginguriel writes them: {type}_{locale}/results.json (default: results)'],
  ],
  examples: [
    'strata locales aggregate results --show-missing',
    'strata locales aggregate results --format markdown --output-prefix reports/september',
  ],
}
