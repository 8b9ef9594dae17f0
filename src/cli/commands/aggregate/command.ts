/** Help of `strata aggregate`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'aggregate',
  group: 'combine',
  summary: 'try every way of combining layers and test whether any beats the best single layer',
  args: [['[models...]', 'org/name, org/name@revision, a folder, or merge:recipe.yml']],
  examples: [
    'strata aggregate sentence-transformers/all-MiniLM-L6-v2 --tasks STSBenchmark,Banking77Classification',
    'strata aggregate ./model --tasks "STS*" --methods weighted,cluster_pca --lambda 0.1,0.5,1 --similarity cka,rsa --tables tables',
  ],
}
