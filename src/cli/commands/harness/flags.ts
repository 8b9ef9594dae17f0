/** Flags of `strata harness` alone. */

import type { Flag } from '../../spec/flag.ts'
import { aboveZero, atLeastZero, list, wholeNumber } from '../../spec/parsers.ts'

export const model = {
  flags: '-M, --model <kind>',
  help: 'hf: a checkpoint, named by pretrained=… in --model_args; samples: what was logged in path=…, scored again; local-completions, local-chat-completions, openai-completions, openai-chat-completions: a server at base_url=…',
} as const satisfies Flag

export const modelArgs = {
  flags: '-a, --model_args <settings>',
  help: 'pretrained=…,revision=…,max_length=…,add_bos_token=…,prefix_token_id=…, or a JSON object',
} as const satisfies Flag

export const tasks = {
  flags: '-t, --tasks <names>',
  help: 'tasks, groups, tags, globs, task files or folders of them, comma-separated',
  parse: list,
} as const satisfies Flag

export const numFewshot = {
  flags: '-f, --num_fewshot <n>',
  help: 'examples in front of every question (default: the task file’s number)',
  parse: wholeNumber('--num_fewshot'),
} as const satisfies Flag

export const batchSize = {
  flags: '-b, --batch_size <n>',
  help: 'prompts in each request to a server; of a checkpoint taken and not used: batches are made by length and memory, and no answer depends on them',
} as const satisfies Flag

export const device = { flags: '--device <name>', help: 'device to run on: cpu' } as const satisfies Flag

export const limit = {
  flags: '-L, --limit <n>',
  help: 'documents of each task: a number, or below 1 a share of them',
  parse: aboveZero('--limit'),
} as const satisfies Flag

export const samples = {
  flags: '-E, --samples <json>',
  help: 'places of the documents to ask: {"task": [0, 3, 6]}, or a file that says so',
} as const satisfies Flag

export const outputPath = {
  flags: '-o, --output_path <path>',
  help: 'folder of the results file, or a .json file',
} as const satisfies Flag

export const logSamples = {
  flags: '-s, --log_samples',
  help: 'write every document with its prompt, answer and scores beside the results',
} as const satisfies Flag

export const useCache = {
  flags: '-c, --use_cache <path>',
  help: 'file in which answers are kept for later runs',
} as const satisfies Flag

export const systemInstruction = {
  flags: '--system_instruction <text>',
  help: 'in front of every prompt',
} as const satisfies Flag

export const applyChatTemplate = {
  flags: '--apply_chat_template [name]',
  help: 'prompts as chats by the model’s template',
} as const satisfies Flag

export const fewshotAsMultiturn = {
  flags: '--fewshot_as_multiturn [value]',
  help: 'examples as turns of the chat (default: when a chat template is applied)',
} as const satisfies Flag

export const genKwargs = {
  flags: '--gen_kwargs <settings>',
  help: 'how texts are written: temperature=0.7,top_p=0.9,max_gen_toks=128, or a JSON object',
} as const satisfies Flag

export const seed = {
  flags: '--seed <seeds>',
  help: 'seeds of Python, NumPy, torch and the examples (default: 0,1234,1234,1234), or one for all',
} as const satisfies Flag

export const metadata = { flags: '--metadata <json>', help: 'merged into the tasks’ metadata' } as const satisfies Flag

export const predictOnly = {
  flags: '-x, --predict_only',
  help: 'write what the model answers, score nothing',
} as const satisfies Flag

export const writeOut = {
  flags: '-w, --write_out',
  help: 'print the prompt of each task’s first document',
} as const satisfies Flag

export const bootstrapIters = {
  flags: '--bootstrap_iters <n>',
  help: 'draws of bootstrapped errors (default 100,000; 0: no errors)',
  parse: atLeastZero('--bootstrap_iters'),
} as const satisfies Flag
