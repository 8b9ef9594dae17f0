/** What `strata probe` takes. */
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { machine } from '../../flags/machine.ts'
import { finalNorm, maxLength, prompt, promptName, architecture } from '../../flags/reading.ts'
import { results } from '../../flags/results.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import { data, only, taskTypes, controls, probe, mdl, seeds, trainPortion, profile, layers } from './flags.ts'

export const command = {
  name: 'probe',
  group: 'measure',
  summary: 'train linear probes on each layer: Holmes, BLiMP, Zorro, UD, SentEval',
  args: [['<models...>', 'org/name, org/name@revision, folders, or merge:recipe.yml']],
  flags: [
    data,
    only,
    layers,
    taskTypes,
    controls,
    probe,
    mdl,
    seeds,
    trainPortion,
    profile,
    results,
    finalNorm,
    maxLength,
    prompt,
    promptName,
    architecture,
    ...machine,
    dryRun,
    ...everywhere,
  ],
  examples: [
    'strata probe ./model --data blimp:blimp/data --layers all',
    'strata probe EleutherAI/pythia-70m --data ud:UD_English-EWT --only ud-upos,ud-dep --controls randomization --mdl',
    'strata probe ./model --data data/flash-holmes --layers last --profile holmes --train-portion 1/32',
    'strata probe ./model --data zorro:zorro --controls permutation,random-weights --seeds 0,1 --dry-run',
  ],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>
