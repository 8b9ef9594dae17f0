/** What `strata probe` takes. */
import type { CommandSpec } from './command.ts'
import { everywhere, machine } from './flag-groups.ts'

export const probing = {
  summary: 'tell what a linear probe reads off each layer of a model: Holmes, BLiMP, Zorro, UD, SentEval',
  args: [['<models...>', 'org/name, org/name@revision, folders, or merge:recipe.yml']],
  flags: [
    'probeData',
    'probeNames',
    'layers',
    'taskTypes',
    'controls',
    'probe',
    'mdl',
    'probeSeeds',
    'trainPortion',
    'probeProfile',
    'outputFolder',
    'finalNorm',
    'maxLength',
    'prompt',
    'promptName',
    'architecture',
    ...machine,
    'dryRun',
    ...everywhere,
  ],
  examples: [
    'strata probe ./model --data blimp:blimp/data --layers all',
    'strata probe EleutherAI/pythia-70m --data ud:UD_English-EWT --only ud-upos,ud-dep --controls randomization --mdl',
    'strata probe ./model --data data/flash-holmes --layers last --profile holmes --train-portion 1/32',
    'strata probe ./model --data zorro:zorro --controls permutation,random-weights --seeds 0,1 --dry-run',
  ],
} as const satisfies CommandSpec
