/** What the commands take that ask a language model. */
import type { CommandSpec } from './command.ts'
import { everywhere } from './flag-groups.ts'

export const languageModels = {
  harness: {
    summary: 'run tasks of lm-evaluation-harness on a language model',
    args: [['[model]', 'org/name, org/name@revision, a folder, or merge:recipe.yml; or --model hf --model_args pretrained=…']],
    flags: [
      'modelKind',
      'modelArgs',
      'harnessTasks',
      'numFewshot',
      'harnessBatch',
      'harnessDevice',
      'harnessLimit',
      'samples',
      'outputPath',
      'logSamples',
      'useCache',
      'systemInstruction',
      'applyChatTemplate',
      'fewshotAsMultiturn',
      'genKwargs',
      'includePath',
      'harnessSeed',
      'metadata',
      'predictOnly',
      'writeOut',
      'bootstrapIters',
      'threads',
      'batchTokens',
      'cacheDir',
      ...everywhere,
    ],
    examples: [
      'strata harness EleutherAI/pythia-70m --tasks blimp,arc_easy --output_path results --log_samples',
      'strata harness --model hf --model_args pretrained=./model,max_length=512 --tasks gsm8k --num_fewshot 5 --limit 20',
      'strata harness ./model --tasks my_task --include_path ./tasks',
    ],
  },
} as const satisfies Record<string, CommandSpec>
