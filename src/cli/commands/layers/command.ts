/** Help of `strata layers`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'layers',
  group: 'measure',
  summary: 'score every layer of a model on tasks, from one forward pass per text',
  args: [['[models...]', 'org/name, org/name@revision, a folder, or merge:recipe.yml']],
  examples: [
    'strata layers sentence-transformers/all-MiniLM-L6-v2 --tasks STS17,Banking77Classification --languages eng',
    'strata layers ./one ./two --merge ties.yml --tasks STSBenchmark',
    'strata layers ./model --tasks "STS*" --plot layers.svg',
    'strata layers sentence-transformers/all-MiniLM-L6-v2 --tasks SciFact --pooling maxsim',
  ],
}
