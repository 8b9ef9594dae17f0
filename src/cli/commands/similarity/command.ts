/** Help of `strata similarity`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'similarity',
  group: 'look',
  summary: 'compare the layers of one or two models, or of each in a grid (CKA, RSA, …)',
  args: [['<models...>', 'one model or two, or those of a grid: org/name, org/name@revision, or folders']],
  examples: [
    'strata similarity sentence-transformers/all-MiniLM-L6-v2 --texts texts.txt --metrics cka,rsa --out outputs',
    'strata similarity ./one ./two --task STSBenchmark:train --rows 5000 --metrics all --json',
    'strata similarity ./one ./two ./three --pooling mean,cls --texts texts.txt --metrics all --out grid',
    'strata similarity ./model --data-set allenai/c4:en:train:text --rows 20000 --out outputs',
  ],
}
