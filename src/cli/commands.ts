/** Every command, with what it takes. `--help`, docs/cli.md, the strict parser and the types of the flags derive from this table; run-command.ts says which module runs it. */
import type { CommandSpec, Terminal } from './command.ts'
import type { FlagValues } from './flag-values.ts'
import type { FlagName } from './flags.ts'

const reading = ['pooling', 'finalNorm', 'maxLength', 'prompt', 'promptName', 'architecture'] as const satisfies readonly FlagName[]
const machine = ['batchTokens', 'threads', 'device', 'engine', 'dtype', 'cacheDir', 'cacheLimit'] as const satisfies readonly FlagName[]
const asking = [
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
] as const satisfies readonly FlagName[]
const everywhere = ['json', 'quiet', 'debug'] as const satisfies readonly FlagName[]

export const commands = {
  layers: {
    summary: 'score every layer of a model on tasks, from one forward pass',
    args: [['[models...]', 'org/name, org/name@revision, a folder, or merge:recipe.yml']],
    flags: [...asking, 'merge', 'layers', ...reading, ...machine, 'dryRun', ...everywhere],
    examples: [
      'strata layers sentence-transformers/all-MiniLM-L6-v2 --tasks STS17,Banking77Classification --languages eng',
      'strata layers ./one ./two --merge ties.yml --tasks STSBenchmark',
    ],
  },
  evaluate: {
    summary: 'score models on tasks',
    args: [['[models...]', 'org/name, org/name@revision, folders, or merge:recipe.yml; none with --vectors or --merge']],
    flags: [...asking, 'merge', 'representation', 'vectors', 'texts', ...reading, ...machine, 'dryRun', ...everywhere],
    examples: [
      'strata evaluate minishlab/potion-base-4M --tasks "STS*"',
      'strata evaluate sentence-transformers/all-MiniLM-L6-v2 --benchmark "MTEB(eng, v2)" --dry-run',
      'strata evaluate ./one ./two --merge ties.yml --merge slerp.yml --tasks STSBenchmark',
      'strata evaluate ./model --task-file mine.yaml',
      'strata evaluate --vectors vectors.npy --texts texts.jsonl --tasks SciFact',
    ],
  },
  encode: {
    summary: 'turn texts or token ids into vectors of any layer',
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
      'strata encode ./model texts.txt --out - | jq -c .vector',
      'strata encode ./llama --input-ids batch.safetensors --tokens --layers all --out states.safetensors',
    ],
  },
  tasks: {
    summary: 'list tasks, or show everything about one',
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
  },
  merge: {
    summary: 'merge several models into one, by a mergekit recipe',
    args: [
      ['<recipe>', 'mergekit or mergekit-moe YAML'],
      [
        '[more-and-out...]',
        'folder to write, not needed with --dry-run; before it more recipes: each then gets its own folder inside, and what they share is read once',
      ],
    ],
    flags: [
      'compat',
      'randomSeed',
      'outShardSize',
      'memory',
      'threads',
      'inputHashes',
      'iUnderstandThisIsNotUsefulWithoutTraining',
      'overwrite',
      'dryRun',
      ...everywhere,
    ],
    examples: [
      'strata merge ties.yml ./merged',
      'strata merge ties.yml --dry-run',
      'strata merge recipes/*.yml ./merged    # ./merged/ties, ./merged/slerp, …',
      'strata evaluate --merge ties.yml --tasks STSBenchmark    # the same, scored without being written',
    ],
  },
  'extract-lora': {
    summary: 'extract what fine-tuning changed as a LoRA adapter for PEFT',
    args: [],
    flags: [
      'model',
      'baseModel',
      'outPath',
      'maxRank',
      'distributeScale',
      'noDistributeScale',
      'embedLora',
      'noEmbedLora',
      'saveModule',
      'includeRegex',
      'excludeRegex',
      'svEpsilon',
      'skipUndecomposable',
      'overwrite',
      'dryRun',
      ...everywhere,
    ],
    examples: [
      'strata extract-lora --model ./tuned --base-model org/base --out-path ./adapter --max-rank 32',
      "strata extract-lora --model ./tuned --base-model org/base -e 'embed_tokens|lm_head' --dry-run",
    ],
  },
  tokensurgeon: {
    summary: "give a model another model's tokenizer: rows of shared tokens are kept, the others approximated",
    args: [
      ['<model>', 'org/name or a folder'],
      ['<donor>', 'the model whose tokenizer it gets'],
      ['[out]', 'folder to write'],
    ],
    flags: [
      'approximationMethod',
      'k',
      'weightScheme',
      'cosineSimilarity',
      'noCosineSimilarity',
      'subwordMethod',
      'batchSize',
      'prefixMatch',
      'byteMatch',
      'magikarp',
      'noMagikarp',
      'newVocabNoise',
      'newVocabScale',
      'randomSeed',
      'outShardSize',
      'memory',
      'threads',
      'overwrite',
      'dryRun',
      ...everywhere,
    ],
    examples: ['strata tokensurgeon org/model org/donor ./transplanted', 'strata tokensurgeon ./model ./donor --approximation-method subword --dry-run'],
  },
  push: {
    summary: 'upload a folder to a repository on the hub; run again, it resumes',
    args: [
      ['<repo>', 'org/name, or org/name@branch'],
      ['[folder]', 'folder or file (default: the one named like the repository)'],
      ['[path]', 'path in the repository'],
    ],
    flags: [
      'repoType',
      'revision',
      'private',
      'commitMessage',
      'commitDescription',
      'createPr',
      'include',
      'exclude',
      'delete',
      'token',
      'dryRun',
      ...everywhere,
    ],
    examples: [
      'strata push me/merged ./merged --private',
      'strata push me/scores ./results --repo-type dataset',
      'strata push me/merged ./merged --exclude "*.bin" --delete "*.bin" --create-pr',
    ],
  },
  pull: {
    summary: 'download a repository, or files of it, to the Hugging Face cache or a folder; prints the path',
    args: [
      ['<repo>', 'org/name, or org/name@revision'],
      ['[files...]', 'paths in the repository; folder/ means every file below it (default: everything)'],
    ],
    flags: ['repoType', 'revision', 'include', 'exclude', 'localDir', 'hubCacheDir', 'forceDownload', 'maxWorkers', 'token', 'dryRun', ...everywhere],
    examples: [
      'strata pull EleutherAI/pythia-410m',
      'strata pull EleutherAI/pythia-410m config.json tokenizer.json',
      'strata pull EleutherAI/pythia-410m --include "*.safetensors" --include "*.json" --local-dir ./pythia',
    ],
  },
  results: {
    summary: 'list, show, average and compare finished results; import those of mteb',
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
  },
  verify: {
    summary: 'check finished results against published scores',
    args: [['[models...]', 'default: every model with results']],
    flags: ['outputFolder', 'tasks', 'benchmark', 'types', 'against', ...everywhere],
    examples: ['strata verify sentence-transformers/all-MiniLM-L6-v2'],
  },
  models: {
    summary: 'describe a model or a file of tensors',
    args: [['<models...>', 'org/name, a folder, or one tensor file (.safetensors, .bin, .pt, .npy, .npz, .pkl)']],
    flags: ['architecture', ...everywhere],
    examples: ['strata models EleutherAI/pythia-410m', 'strata models pytorch_model.bin'],
  },
  cache: {
    summary: 'show, trim or clear the cache of layer vectors',
    args: [['[action]', 'show (default), trim, clear']],
    flags: ['cacheDir', 'cacheLimit', 'size', ...everywhere],
    examples: ['strata cache', 'strata cache trim --size 10G'],
  },
  doctor: {
    summary: 'check machine, engines, cache and hub',
    args: [],
    flags: ['install', 'cacheDir', ...everywhere],
    examples: ['strata doctor', 'strata doctor --install openvino'],
  },
} as const satisfies Record<string, CommandSpec>

export type CommandName = keyof typeof commands

/** The values of the flags that a command lists. */
export type FlagsOf<Name extends CommandName> = FlagValues<(typeof commands)[Name]['flags'][number]>

/** What the module of a command exports as `run`. Returns the exit code. */
export type CommandRun<Name extends CommandName> = (args: readonly string[], flags: FlagsOf<Name>, terminal: Terminal) => Promise<number>
