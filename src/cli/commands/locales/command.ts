/** Help of `strata locales`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'locales',
  group: 'combine',
  summary:
    'merge the models of related languages for a locale, and compare with its own model, its sources and a plain average',
  args: [
    ['[action]', 'nothing to run a study, aggregate to compare results that are there'],
    [
      '[folder]',
      'aggregate: folder of a study, or of results as merginguriel writes them, {type}_{locale}/results.json (default: --results)',
    ],
  ],
  examples: [
    'strata locales --models ./models/{locale} --locales sq-AL,cy-GB',
    'strata locales --models ./models --mode baseline,similarity,average,ties --base-model ./ancestor --dry-run',
    'strata locales aggregate results --show-missing',
  ],
}
