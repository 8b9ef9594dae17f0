/** Every command, with what it takes. `--help`, docs/cli.md and the strict parser derive from this table; modules load when a command runs. */
import type { CommandSpec } from './command.ts'
import type { FlagName } from './flags.ts'

const reading: readonly FlagName[] = ['pooling', 'finalNorm', 'maxLength', 'prompt', 'promptName', 'architecture']
const machine: readonly FlagName[] = ['batchTokens', 'threads', 'device', 'cacheDir', 'cacheLimit']
const asking: readonly FlagName[] = [
  'tasks',
  'benchmark',
  'taskFile',
  'types',
  'languages',
  'domains',
  'splits',
  'subsets',
  'profile',
  'kmeans',
  'outputFolder',
  'overwriteStrategy',
  'against',
]
const everywhere: readonly FlagName[] = ['json', 'quiet', 'debug']

export const commands = {
  layers: {
    summary: 'every layer of a model on tasks, from one forward pass',
    args: [['<model>', 'org/name, org/name@revision, or a folder']],
    flags: [...asking, 'layers', ...reading, ...machine, 'dryRun', ...everywhere],
    examples: ['strata layers sentence-transformers/all-MiniLM-L6-v2 --tasks STS17,Banking77Classification --languages eng'],
    load: () => import('./commands/layers.ts'),
  },
  evaluate: {
    summary: 'models on tasks',
    args: [['[models...]', 'org/name, org/name@revision, or folders; none with --vectors']],
    flags: [...asking, 'representation', 'vectors', 'texts', ...reading, ...machine, 'dryRun', ...everywhere],
    examples: [
      'strata evaluate minishlab/potion-base-4M --tasks "STS*"',
      'strata evaluate sentence-transformers/all-MiniLM-L6-v2 --benchmark "MTEB(eng, v2)" --dry-run',
      'strata evaluate ./model --task-file mine.yaml',
      'strata evaluate --vectors vectors.npy --texts texts.jsonl --tasks SciFact',
    ],
    load: () => import('./commands/evaluate.ts'),
  },
  encode: {
    summary: 'texts or token ids → vectors of any layer',
    args: [
      ['<model>', 'org/name, org/name@revision, or a folder'],
      ['[files...]', 'txt, jsonl, csv, tsv, parquet (.gz too); - or none reads standard input'],
    ],
    flags: [
      'layers',
      'out',
      'column',
      'inputIds',
      'prefix',
      'tokens',
      'logits',
      'chat',
      'paddingSide',
      'limit',
      ...reading,
      ...machine,
      'dryRun',
      ...everywhere,
    ],
    examples: [
      'strata encode BAAI/bge-small-en-v1.5 texts.jsonl --out vectors.npy',
      'strata encode ./llama --input-ids batch.safetensors --tokens --layers all --out states.safetensors',
    ],
    load: () => import('./commands/encode.ts'),
  },
  tasks: {
    summary: 'the tasks Strata knows; one, with everything about it',
    args: [['[names...]', 'names and globs']],
    flags: [
      'benchmark',
      'types',
      'languages',
      'domains',
      'runnable',
      'unsupported',
      'count',
      'benchmarks',
      'rows',
      'listTexts',
      'taskFile',
      'splits',
      'subsets',
      'limit',
      'profile',
      'cacheDir',
      ...everywhere,
    ],
    examples: [
      'strata tasks "STS*"',
      'strata tasks SciFact',
      'strata tasks --benchmark "MTEB(eng, v2)" --unsupported',
      'strata tasks --runnable --count',
      'strata tasks STS17 --rows --subsets en-en --limit 3',
      'strata tasks SciFact --texts',
    ],
    load: () => import('./commands/tasks.ts'),
  },
  merge: {
    summary: 'several models → one, by a mergekit recipe',
    args: [
      ['<recipe>', 'mergekit YAML'],
      ['[out]', 'folder to write; not needed with --dry-run'],
    ],
    flags: ['compat', 'randomSeed', 'outShardSize', 'memory', 'threads', 'overwrite', 'dryRun', ...everywhere],
    examples: ['strata merge ties.yml ./merged', 'strata merge ties.yml --dry-run', 'strata evaluate merge:ties.yml --tasks STSBenchmark'],
    load: () => import('./commands/merge.ts'),
  },
  results: {
    summary: 'finished results: list, show, average, compare; import those of mteb',
    args: [
      ['[action]', 'list (default), show, import'],
      ['[names...]', 'task names and globs; for import: folders of results'],
    ],
    flags: [
      'outputFolder',
      'tasks',
      'benchmark',
      'types',
      'languages',
      'domains',
      'models',
      'representation',
      'status',
      'against',
      'overwriteStrategy',
      ...everywhere,
    ],
    examples: ['strata results --benchmark "MTEB(eng, v2)" --against published', 'strata results show STS17', 'strata results import ~/.cache/mteb/results'],
    load: () => import('./commands/results.ts'),
  },
  verify: {
    summary: 'are finished results what was published?',
    args: [['[models...]', 'default: all that have results']],
    flags: ['outputFolder', 'tasks', 'benchmark', 'types', 'against', ...everywhere],
    examples: ['strata verify sentence-transformers/all-MiniLM-L6-v2'],
    load: () => import('./commands/verify.ts'),
  },
  models: {
    summary: 'what a model, or a file of tensors, is',
    args: [['<models...>', 'org/name, a folder, or one tensor file (.safetensors, .bin, .pt, .npy, .npz, .pkl)']],
    flags: ['architecture', ...everywhere],
    examples: ['strata models EleutherAI/pythia-410m', 'strata models pytorch_model.bin'],
    load: () => import('./commands/models.ts'),
  },
  cache: {
    summary: 'show, trim or clear the cache of layer vectors',
    args: [['[action]', 'show (default), trim, clear']],
    flags: ['cacheDir', 'cacheLimit', 'size', ...everywhere],
    examples: ['strata cache', 'strata cache trim --size 10G'],
    load: () => import('./commands/cache.ts'),
  },
  doctor: {
    summary: 'machine, engine, cache, hub: is everything there',
    args: [],
    flags: ['cacheDir', ...everywhere],
    examples: ['strata doctor'],
    load: () => import('./commands/doctor.ts'),
  },
} as const satisfies Record<string, CommandSpec>

export type CommandName = keyof typeof commands
