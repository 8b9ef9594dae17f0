/** Help of `strata frontier`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'frontier',
  group: 'measure',
  summary: 'how small vectors may be: layers × poolings × dimensions × types, scored from one encoding',
  args: [['[model]', 'org/name, org/name@revision, a folder, or merge:recipe.yml']],
  examples: [
    'strata frontier sentence-transformers/all-MiniLM-L6-v2 --tasks STSBenchmark,SciFact --plot frontier.svg',
    'strata frontier ./model --tasks STSBenchmark --layers 4,5,6 --pooling mean,cls --dims 64,128 --types float32,int8,binary',
    'strata frontier ./model --tasks "STS*" --layers none --all',
  ],
}
