/** Help of `strata probe`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'probe',
  group: 'measure',
  summary: 'train linear probes on each layer: Holmes, BLiMP, Zorro, UD, SentEval',
  args: [['<models...>', 'org/name, org/name@revision, folders, or merge:recipe.yml']],
  examples: [
    'strata probe ./model --data blimp:blimp/data --layers all',
    'strata probe EleutherAI/pythia-70m --data ud:UD_English-EWT --only ud-upos,ud-dep --controls randomization --mdl',
    'strata probe ./model --data data/flash-holmes --layers last --profile holmes --train-portion 1/32',
    'strata probe ./model --data zorro:zorro --controls permutation,random-weights --seeds 0,1 --dry-run',
  ],
}
