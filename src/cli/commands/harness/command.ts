/** What `strata harness` takes. */
import { everywhere } from '../../flags/everywhere.ts'
import { includePath } from '../../flags/harness.ts'
import { threads, batchTokens, cacheDir } from '../../flags/machine.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import {
  model,
  modelArgs,
  tasks,
  numFewshot,
  batchSize,
  device,
  limit,
  samples,
  outputPath,
  logSamples,
  useCache,
  systemInstruction,
  applyChatTemplate,
  fewshotAsMultiturn,
  genKwargs,
  seed,
  metadata,
  predictOnly,
  writeOut,
  bootstrapIters,
} from './flags.ts'

export const command = {
  name: 'harness',
  group: 'measure',
  summary: 'run tasks of lm-evaluation-harness on a language model',
  args: [
    ['[model]', 'org/name, org/name@revision, a folder, or merge:recipe.yml; or --model hf --model_args pretrained=…'],
  ],
  flags: [
    model,
    modelArgs,
    tasks,
    numFewshot,
    batchSize,
    device,
    limit,
    samples,
    outputPath,
    logSamples,
    useCache,
    systemInstruction,
    applyChatTemplate,
    fewshotAsMultiturn,
    genKwargs,
    includePath,
    seed,
    metadata,
    predictOnly,
    writeOut,
    bootstrapIters,
    threads,
    batchTokens,
    cacheDir,
    ...everywhere,
  ],
  examples: [
    'strata harness EleutherAI/pythia-70m --tasks blimp,arc_easy --output_path results --log_samples',
    'strata harness --model hf --model_args pretrained=./model,max_length=512 --tasks gsm8k --num_fewshot 5 --limit 20',
    'strata harness ./model --tasks my_task --include_path ./tasks',
  ],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>
