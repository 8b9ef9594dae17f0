/** What the commands take that ask a language model. */
import type { CommandSpec } from './command.ts'
import { everywhere } from './flag-groups.ts'

export const languageModels = {
  generate: {
    summary: 'let a language model go on with a text, or talk with it',
    args: [
      ['<model>', 'org/name, org/name@revision, a folder, or merge:recipe.yml'],
      ['[prompt]', 'what it goes on with; - or none reads standard input'],
    ],
    flags: [
      'dialogue',
      'systemTurn',
      'maxNewTokens',
      'temperature',
      'topK',
      'topP',
      'drawSeed',
      'stop',
      'threads',
      'device',
      'engine',
      'dtype',
      'cacheDir',
      ...everywhere,
    ],
    examples: [
      'strata generate EleutherAI/pythia-410m "The capital of France is" --max-new-tokens 8',
      'strata generate merge:ties.yml --chat --system "Answer in one sentence."',
      'strata generate ./model "Once upon a time" --temperature 0.8 --top-p 0.95 --seed 7 --stop "The end" --json',
      'strata generate ./model "Once upon a time" --dtype int8',
    ],
  },
  harness: {
    summary: 'run tasks of lm-evaluation-harness on a language model',
    args: [
      [
        '[model]',
        'org/name, org/name@revision, a folder, or merge:recipe.yml; or --model hf --model_args pretrained=…',
      ],
    ],
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
