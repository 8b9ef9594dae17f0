/** Flags of `strata harness`. */
import { everywhere } from '../../flags/everywhere.ts'
import { includePath } from '../../flags/harness.ts'
import { parseDevice } from '#core'
import { threads, batchTokens, cacheDir } from '../../flags/machine.ts'
import { plugin } from '../../flags/plugin.ts'
import type { Flag } from '../../spec/flag.ts'
import { aboveZero, atLeastZero, list, wholeNumber } from '../../spec/parsers.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

export const model = {
  flags: '-M, --model <kind>',
  help: 'kind of model: hf, a checkpoint named by pretrained=… in --model_args; samples, the answers logged in path=…, scored again; local-completions, local-chat-completions, openai-completions, openai-chat-completions, a server at base_url=…',
} as const satisfies Flag

export const modelArgs = {
  flags: '-a, --model_args <settings>',
  help: 'settings of the model: pretrained=…,revision=…,max_length=…,add_bos_token=…,prefix_token_id=…, or a JSON object',
} as const satisfies Flag

export const tasks = {
  flags: '-t, --tasks <names>',
  help: 'tasks, groups, tags, globs, task files or folders of them, comma-separated',
  parse: list,
} as const satisfies Flag

export const numFewshot = {
  flags: '-f, --num_fewshot <n>',
  help: 'number of examples before every question (default: the task file’s)',
  parse: wholeNumber('--num_fewshot'),
} as const satisfies Flag

export const batchSize = {
  flags: '-b, --batch_size <n>',
  help: 'number of prompts per request to a server; accepted and unused for a checkpoint, whose batches follow length and memory: no answer depends on them',
} as const satisfies Flag

export const device = {
  flags: '--device <name>',
  help: 'device to run on: cpu, webgpu, cuda (cuda:1 is the second), coreml or dml; --model_args dtype=float16 or bfloat16 goes with cuda',
  parse: (text) => parseDevice(text, '--device'),
} as const satisfies Flag

export const limit = {
  flags: '-L, --limit <n>',
  help: 'number of documents per task, or, below 1, a share of them',
  parse: aboveZero('--limit'),
} as const satisfies Flag

export const samples = {
  flags: '-E, --samples <json>',
  help: 'positions of the documents to ask: {"task": [0, 3, 6]}, or a file with that',
} as const satisfies Flag

export const outputPath = {
  flags: '-o, --output_path <path>',
  help: 'folder of the results file, or a .json file',
} as const satisfies Flag

export const logSamples = {
  flags: '-s, --log_samples',
  help: 'write every document with its prompt, answer and scores next to the results',
} as const satisfies Flag

export const useCache = {
  flags: '-c, --use_cache <path>',
  help: 'file that keeps answers for later runs',
} as const satisfies Flag

export const systemInstruction = {
  flags: '--system_instruction <text>',
  help: 'text before every prompt',
} as const satisfies Flag

export const applyChatTemplate = {
  flags: '--apply_chat_template [name]',
  help: 'prompts as chats, by the model’s template or the one named',
} as const satisfies Flag

export const fewshotAsMultiturn = {
  flags: '--fewshot_as_multiturn [value]',
  help: 'examples as turns of the chat (default: when a chat template is applied)',
} as const satisfies Flag

export const genKwargs = {
  flags: '--gen_kwargs <settings>',
  help: 'settings of generation: temperature=0.7,top_p=0.9,max_gen_toks=128, or a JSON object',
} as const satisfies Flag

export const seed = {
  flags: '--seed <seeds>',
  help: 'seeds of Python, NumPy, torch and the examples, or one for all (default: 0,1234,1234,1234)',
} as const satisfies Flag

export const metadata = {
  flags: '--metadata <json>',
  help: 'JSON to merge into the metadata of the tasks',
} as const satisfies Flag

export const predictOnly = {
  flags: '-x, --predict_only',
  help: 'write what the model answers, score nothing',
} as const satisfies Flag

export const skipTooLong = {
  flags: '--skip-too-long',
  help: 'leave out, and count, documents with a continuation that is longer than the model’s window',
} as const satisfies Flag

export const writeOut = {
  flags: '-w, --write_out',
  help: 'print the prompt of each task’s first document',
} as const satisfies Flag

export const bootstrapIters = {
  flags: '--bootstrap_iters <n>',
  help: 'number of bootstrap draws for standard errors; 0 for none (default: 100,000)',
  parse: atLeastZero('--bootstrap_iters'),
} as const satisfies Flag

export const flags = [
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
  skipTooLong,
  writeOut,
  bootstrapIters,
  threads,
  batchTokens,
  cacheDir,
  plugin,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
