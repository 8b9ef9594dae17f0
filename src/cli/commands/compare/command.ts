/** Help of `strata compare`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'compare',
  group: 'compare',
  summary: 'compare models or representations: significance, texts that changed most, speed, size',
  args: [['<models...>', 'model, model@revision or model#representation; the others are compared with the first']],
  examples: [
    'strata compare BAAI/bge-small-en-v1.5 sentence-transformers/all-MiniLM-L6-v2 --tasks "STS*"',
    'strata compare ./model --representation default,h3,h4 --tasks STSBenchmark --format md',
    'strata compare org/model#default org/model#h3 --results results --out comparison.html',
    'strata compare ./one ./two --tasks STS17 --results scores --score',
  ],
}
