/** Help of `strata truncate`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'truncate',
  group: 'make',
  summary: 'find the fewest layers within a given loss of score, and write the model cut to them',
  args: [['<model>', 'org/name, org/name@revision, a folder, or merge:recipe.yml']],
  examples: [
    'strata truncate sentence-transformers/all-MiniLM-L6-v2 --tasks STSBenchmark,Banking77Classification --max-loss 0.01',
    'strata truncate ./model --tasks "STS*" --max-loss 0.02 --out ./smaller --as onnx',
  ],
}
