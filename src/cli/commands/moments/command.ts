/** Help of `strata moments`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'moments',
  group: 'combine',
  summary: 'Fisher information or Gram matrices of a classifier, for merges by fisher and regmean',
  args: [['[model]', 'org/name, org/name@revision, a folder, or merge:recipe.yml']],
  examples: [
    'strata moments ./k/sq-AL --subset sq-AL --out sq-AL.fisher.safetensors',
    'strata moments ./k/sq-AL --subset sq-AL --kind gram --out sq-AL.gram.safetensors',
  ],
}
