/** Flags of the harness, by the names that lm-evaluation-harness gives them. */
import { aboveZero, atLeastZero, count, type Flag, list } from './flag.ts'

export const harnessFlags = {
  harness: { flags: '--harness', help: 'tasks of lm-evaluation-harness; `fetch` gets its task files' },
  modelKind: {
    flags: '-M, --model <kind>',
    help: 'hf: a checkpoint, named by pretrained=… in --model_args; samples: what was logged in path=…, scored again; local-completions, local-chat-completions, openai-completions, openai-chat-completions: a server at base_url=…',
  },
  modelArgs: {
    flags: '-a, --model_args <settings>',
    help: 'pretrained=…,revision=…,max_length=…,add_bos_token=…,prefix_token_id=…, or a JSON object',
  },
  harnessTasks: {
    flags: '-t, --tasks <names>',
    help: 'tasks, groups, tags, globs, task files or folders of them, comma-separated',
    parse: list,
  },
  numFewshot: {
    flags: '-f, --num_fewshot <n>',
    help: 'examples in front of every question (default: the task file’s number)',
    parse: count('--num_fewshot'),
  },
  harnessBatch: {
    flags: '-b, --batch_size <n>',
    help: 'prompts in each request to a server; of a checkpoint taken and not used: batches are made by length and memory, and no answer depends on them',
  },
  harnessDevice: { flags: '--device <name>', help: 'device to run on: cpu' },
  harnessLimit: {
    flags: '-L, --limit <n>',
    help: 'documents of each task: a number, or below 1 a share of them',
    parse: aboveZero('--limit'),
  },
  samples: {
    flags: '-E, --samples <json>',
    help: 'places of the documents to ask: {"task": [0, 3, 6]}, or a file that says so',
  },
  outputPath: { flags: '-o, --output_path <path>', help: 'folder of the results file, or a .json file' },
  logSamples: {
    flags: '-s, --log_samples',
    help: 'write every document with its prompt, answer and scores beside the results',
  },
  useCache: { flags: '-c, --use_cache <path>', help: 'file in which answers are kept for later runs' },
  systemInstruction: { flags: '--system_instruction <text>', help: 'in front of every prompt' },
  applyChatTemplate: { flags: '--apply_chat_template [name]', help: 'prompts as chats by the model’s template' },
  fewshotAsMultiturn: {
    flags: '--fewshot_as_multiturn [value]',
    help: 'examples as turns of the chat (default: when a chat template is applied)',
  },
  genKwargs: {
    flags: '--gen_kwargs <settings>',
    help: 'how texts are written: temperature=0.7,top_p=0.9,max_gen_toks=128, or a JSON object',
  },
  includePath: {
    flags: '--include_path <folder>',
    help: 'folder with task files of your own; repeatable',
    repeated: true,
  },
  harnessSeed: {
    flags: '--seed <seeds>',
    help: 'seeds of Python, NumPy, torch and the examples (default: 0,1234,1234,1234), or one for all',
  },
  metadata: { flags: '--metadata <json>', help: 'merged into the tasks’ metadata' },
  predictOnly: { flags: '-x, --predict_only', help: 'write what the model answers, score nothing' },
  writeOut: { flags: '-w, --write_out', help: 'print the prompt of each task’s first document' },
  bootstrapIters: {
    flags: '--bootstrap_iters <n>',
    help: 'draws of bootstrapped errors (default 100,000; 0: no errors)',
    parse: atLeastZero('--bootstrap_iters'),
  },
} as const satisfies Record<string, Flag>
