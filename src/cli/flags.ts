/**
 * Every flag of the program, once: parsing, --help, docs/cli.md and the types of the values are made from this table.
 */
import type { Profile } from '#task/rows'
import type { RepoType } from '#files/hub'
import type { ComputeType, FinalNorm } from '#model/passes'
import type { LayerNorm } from '#representation/layers'
import type { Compat } from '#model/merge-methods'
import type { TransplantOptions } from '#model/transplant'
import type { KMeansProfile } from '#platform/linalg'
import type { Device, Engine } from '#platform/runtime'
import type { ListFilters, OverwriteStrategy } from '#result/ledger'
import type { ComparisonFormat } from '#experiment/compare'
import type { ExportForm, StoredType } from '#representation/export'
import type { Background } from '#result/pictures'
import type { ReportFormat } from '#result/report'
import type { Transform } from '#representation/similarity'
import type { QueryFormat } from './query-format.ts'
import {
  type Flag,
  wordsOf,
  prices,
  bytes,
  decimalBytes,
  positive,
  count,
  whole,
  atLeastZero,
  atLeastTwo,
  aboveZero,
  finite,
  list,
} from './flag.ts'
import { correlateFlags } from './correlate-flags.ts'
import { generateFlags } from './generate-flags.ts'
import { harnessFlags } from './harness-flags.ts'
import { probeFlags } from './probe-flags.ts'
import { runFlags } from './run-flags.ts'
import { searchFlags } from './search-flags.ts'

export const flags = {
  json: { flags: '--json', help: 'machine-readable output, one document per line' },
  dryRun: { flags: '--dry-run', help: 'print the plan and its cost, do nothing' },
  steps: {
    flags: '--steps',
    help: 'how far the merge goes from its base, as a share of the way to each input; nothing is written. With --json as strata report --context reads it',
  },
  debug: { flags: '--debug', help: 'show the stack trace of an error' },
  quiet: { flags: '--quiet', help: 'no progress or notices' },

  tasks: {
    flags: '--tasks <names>',
    help: 'task names, globs and presets (layer_by_layer_32), comma-separated',
    parse: list,
  },
  benchmark: {
    flags: '--benchmark <name>',
    help: 'tasks, splits and subsets of a benchmark, e.g. "MTEB(eng, v2)"; repeatable; --tasks narrows it',
    repeated: true,
  },
  taskFile: {
    flags: '--task-file <path>',
    help: 'your own tasks: a YAML file or a BEIR folder; repeatable',
    repeated: true,
  },
  vectors: {
    flags: '--vectors <file>',
    help: 'recorded vectors instead of a model: .npy, .npz or .safetensors, row i for text i of --texts',
  },
  texts: { flags: '--texts <file>', help: 'the texts of --vectors, as printed by strata tasks NAME --texts' },
  listTexts: { flags: '--texts', help: 'print every text of the tasks once, to embed them elsewhere' },
  domains: { flags: '--domains <names>', help: 'only tasks of these domains, e.g. News,Legal', parse: list },
  runnable: { flags: '--runnable', help: 'only tasks that can be run' },
  unsupported: { flags: '--unsupported', help: 'only tasks that cannot be run, with the reason' },
  count: { flags: '--count', help: 'print only their number' },
  against: {
    flags: '--against <what>',
    help: 'compare with published, published:org/name, a folder of results, or org/name[@revision][#representation] in the output folder',
  },
  models: {
    flags: '--models <names>',
    help: 'only results of these models; for import: the model they belong to',
    parse: list,
  },
  status: {
    flags: '--status <state>',
    help: 'only finished results, or only failures',
    choices: wordsOf<NonNullable<ListFilters['status']>>()(['ok', 'failed']),
  },
  benchmarks: { flags: '--benchmarks', help: 'list benchmarks instead of tasks' },
  types: { flags: '--types <names>', help: 'only tasks of these types', parse: list },
  languages: {
    flags: '--languages <codes>',
    help: 'only subsets in these languages or scripts (ISO 639-3 and 15924: eng, eng-Latn, Latn)',
    parse: list,
  },
  splits: { flags: '--splits <names>', help: 'evaluate these splits instead of the defaults', parse: list },
  subsets: { flags: '--subsets <names>', help: 'evaluate only these subsets', parse: list },
  profile: {
    flags: '--profile <name>',
    help: 'version of mteb whose scores to reproduce',
    choices: wordsOf<Profile>()(['mteb-2', 'mteb-1']),
    fallback: 'mteb-2',
  },
  kmeans: {
    flags: '--kmeans <profile>',
    help: 'k-means of which scikit-learn, for clustering: ≤ 1.2 (A0), 1.3 to 1.7 (A, as published), 1.8 (A1), ≥ 1.9 (B)',
    choices: wordsOf<KMeansProfile>()(['A0', 'A', 'A1', 'B']),
    fallback: 'A',
  },
  merge: {
    flags: '--merge <recipe>',
    help: 'score a merge without writing it, like the model merge:<recipe>; repeatable',
    repeated: true,
  },
  representation: {
    flags: '--representation <names>',
    help: 'default, h<n>, h<n>-<pooling>, mean:<n>-<n> or representation files, comma-separated',
    parse: list,
  },
  outputFolder: { flags: '--output-folder <folder>', help: 'folder of the results', fallback: 'results' },
  overwriteStrategy: {
    flags: '--overwrite-strategy <name>',
    help: 'what to do with finished results',
    choices: wordsOf<OverwriteStrategy>()(['only-missing', 'always', 'never', 'only-cache']),
    fallback: 'only-missing',
  },
  corpus: {
    flags: '--texts <file>',
    help: 'texts to look by: txt, jsonl, csv, tsv, parquet (.gz too); - reads standard input',
  },
  task: { flags: '--task <name>', help: 'the texts of a task instead, or of one split of it: NAME or NAME:split' },
  dataSet: {
    flags: '--data-set <name>',
    help: 'the texts of any data set instead: REPO[@revision][:config[:split[:column]]] (default: its default config, train, the first of text, sentence, sentence1, query, content)',
  },
  mostRows: {
    flags: '--rows <n>',
    help: 'at most so many texts: the first of a file or data set (default 20,000 of a data set), a seeded sample of a task',
    parse: positive('--rows'),
  },
  similarities: { flags: '--metrics <names>', help: 'similarities, comma-separated, or all', fallback: 'cka' },
  metrics: {
    flags: '--metrics <names>',
    help: 'metrics of a representation, comma-separated, or all',
    fallback: 'all',
  },
  pairs: {
    flags: '--pairs <file>',
    help: 'two views of each text, for metrics that compare views: columns sentence1 and sentence2',
  },
  augmentations: {
    flags: '--augmentations <n>',
    help: 'make the views: n seeded forms of each of the first 1,000 texts (two where two are compared)',
    parse: atLeastTwo('--augmentations'),
  },
  outFile: { flags: '--out <file>', help: 'file to write the document to' },
  sampleSize: {
    flags: '--sample-size <n>',
    help: 'texts of a trial; fewer texts than that are taken whole, once',
    fallback: 3000,
    parse: positive('--sample-size'),
  },
  trials: {
    flags: '--trials <n>',
    help: 'samples that the mean and its deviation are taken over',
    fallback: 5,
    parse: positive('--trials'),
  },
  seed: { flags: '--seed <n>', help: 'seed of the samples', fallback: 42, parse: count('--seed') },
  transform: {
    flags: '--transform <name>',
    help: 'what is done to the mean matrices: arccos, log, row-sum',
    choices: wordsOf<Transform>()(['arccos', 'log', 'row-sum']),
  },
  methods: { flags: '--methods <names>', help: 'ways to combine layers, comma-separated, or all', fallback: 'all' },
  lambda: {
    flags: '--lambda <prices>',
    help: 'prices of similarity, comma-separated (default 0.5)',
    parse: prices('--lambda'),
  },
  similarity: {
    flags: '--similarity <names>',
    help: 'how layers are compared: similarities, comma-separated',
    fallback: 'cka',
  },
  similarityMatrix: {
    flags: '--similarity-matrix <file>',
    help: 'layer × layer similarity from .npy, .pkl, JSON or a folder of strata similarity, instead of --similarity',
  },
  quality: {
    flags: '--quality <source>',
    help: 'how good each layer is: its score on validation rows (validation), the similarity matrix (diagonal, row_mean), or a JSON file',
    fallback: 'validation',
  },
  qualitySoftmax: {
    flags: '--quality-softmax <temperature>',
    help: 'exp(q / T) of the qualities',
    parse: aboveZero('--quality-softmax'),
  },
  qualityLog: { flags: '--quality-log', help: 'logarithm of the qualities' },
  qualityNormalise: { flags: '--quality-normalise', help: 'qualities of sum 1' },
  clusters: { flags: '--clusters <n>', help: 'clusters of layers at most', fallback: 4, parse: positive('--clusters') },
  components: {
    flags: '--components <n>',
    help: 'axes of a projection at most',
    fallback: 768,
    parse: positive('--components'),
  },
  dropDelta: {
    flags: '--drop-delta <share>',
    help: 'greedy_delta: share of the best quality that a layer may lack',
    fallback: 0.15,
    parse: atLeastZero('--drop-delta'),
  },
  maxLayers: {
    flags: '--max-layers <n>',
    help: 'greedy methods: layers at most (default: no limit)',
    parse: positive('--max-layers'),
  },
  pcaCorpus: {
    flags: '--pca-corpus <texts>',
    help: 'texts that layers are compared and projected by: a file, or task:NAME[:split] (default: 30,000 of the training splits)',
  },
  layerNorm: {
    flags: '--layer-norm <rule>',
    help: 'what is done to a layer’s vector before it is mixed',
    choices: wordsOf<LayerNorm>()(['none', 'l2', 'zscore']),
    fallback: 'none',
  },
  ...searchFlags,
  ...runFlags,
  ...correlateFlags,
  ...generateFlags,
  ...harnessFlags,
  ...probeFlags,
  exportForm: {
    flags: '--as <form>',
    help: 'what the folder is for',
    choices: wordsOf<ExportForm>()(['sentence-transformers', 'transformers', 'onnx']),
    fallback: 'sentence-transformers',
  },
  storedType: {
    flags: '--dtype <type>',
    help: 'type of the stored weights (default: the one they have)',
    choices: wordsOf<StoredType>()(['float32', 'float16', 'bfloat16']),
  },
  normalize: { flags: '--normalize', help: 'vectors of length 1' },
  maxLoss: {
    flags: '--max-loss <score>',
    help: 'mean validation score that may be lost (0.01: one point)',
    fallback: 0.01,
    parse: atLeastZero('--max-loss'),
  },
  tables: {
    flags: '--tables <folder>',
    help: 'also write results_table.csv and .md, experiment_summary.json and a folder per model and method',
  },
  outFolder: { flags: '--out <folder>', help: 'folder to write to' },
  rows: { flags: '--rows', help: 'print the rows of the tasks as their evaluation reads them' },
  limit: {
    flags: '--limit <n>',
    help: 'only the first n texts (encode) or rows per table (tasks --rows)',
    parse: positive('--limit'),
  },

  layers: { flags: '--layers <list>', help: 'hidden states: all, or indices such as 0,3,-1 (0 = embedding output)' },
  pooling: { flags: '--pooling <name>', help: 'mean, cls, lasttoken, max, weightedmean, pooler' },
  finalNorm: {
    flags: '--final-norm <rule>',
    help: 'apply the final norm to every state (always), or return states as transformers does (native)',
    choices: wordsOf<FinalNorm>()(['native', 'always']),
  },
  maxLength: {
    flags: '--max-length <n>',
    help: 'tokens per text, special tokens included',
    parse: positive('--max-length'),
  },
  prompt: { flags: '--prompt <text>', help: 'text to put in front of every text' },
  promptName: { flags: '--prompt-name <name>', help: "name of one of the model's own prompts" },
  paddingSide: { flags: '--padding-side <side>', help: 'padding side of token output', choices: ['left', 'right'] },
  architecture: { flags: '--architecture <family>', help: 'read config.json as this model family' },
  chat: { flags: '--chat', help: "wrap each text as one user turn of the model's chat template" },

  batchTokens: {
    flags: '--batch-tokens <n>',
    help: 'tokens per batch, padding included',
    parse: positive('--batch-tokens'),
  },
  threads: { flags: '--threads <n>', help: 'number of threads (default: all cores)', parse: positive('--threads') },
  device: {
    flags: '--device <name>',
    help: 'device to run on',
    choices: wordsOf<Device>()(['cpu', 'webgpu', 'cuda']),
    fallback: 'cpu',
  },
  engine: {
    flags: '--engine <name>',
    help: 'engine to run on; auto: openvino where it is installed',
    choices: wordsOf<Engine | 'auto'>()(['onnxruntime', 'openvino', 'auto']),
    fallback: 'onnxruntime',
  },
  dtype: {
    flags: '--dtype <type>',
    help: 'type to compute in: int8 on onnxruntime; bfloat16 and float16 on openvino, where the processor has them',
    choices: wordsOf<ComputeType>()(['float32', 'bfloat16', 'float16', 'int8']),
    fallback: 'float32',
  },
  install: {
    flags: '--install <engine>',
    help: 'fetch the libraries of a second engine into the cache',
    choices: wordsOf<'openvino'>()(['openvino']),
  },
  cacheDir: {
    flags: '--cache-dir <folder>',
    help: 'cache of layer vectors (default: $STRATA_CACHE, else ~/.cache/strata)',
  },
  cacheLimit: {
    flags: '--cache-limit <size>',
    help: 'largest size of that cache (default 50 GB)',
    parse: bytes('--cache-limit'),
  },

  inputIds: {
    flags: '--input-ids <file>',
    help: 'token ids instead of texts: a .safetensors file with input_ids, attention_mask and more',
  },
  prefix: { flags: '--prefix <text>', help: 'prefix of the tensor names in --input-ids, e.g. left.' },
  column: { flags: '--column <name>', help: 'column with the texts' },
  tokens: { flags: '--tokens', help: 'states of every token instead of pooled vectors' },
  logits: { flags: '--logits', help: "the head's logits too" },
  plot: {
    flags: '--plot <file>',
    help: 'picture of the scores, by layer or by method: a file that ends in .svg or .png',
  },
  background: {
    flags: '--background <name>',
    help: 'what pictures are drawn for',
    choices: wordsOf<Background>()(['light', 'dark']),
    fallback: 'light',
  },
  baseline: {
    flags: '--baseline <representation>',
    help: 'what every row is compared with: a representation of its own model, or model[@revision]#representation (default: default, else the best mean)',
  },
  parents: {
    flags: '--parents <rows>',
    help: 'what merging did: models that the other rows of their representation are merges of, as model[@revision]#representation, comma-separated',
    parse: list,
  },
  reportFormat: {
    flags: '--format <name>',
    help: 'default: by the ending of --out, else md',
    choices: wordsOf<ReportFormat>()(['html', 'md', 'csv', 'latex', 'json']),
  },
  queryFormat: {
    flags: '--format <name>',
    help: 'query: how its rows are printed or written (default: by the ending of --out, else table)',
    choices: wordsOf<QueryFormat>()(['table', 'csv', 'json', 'parquet']),
  },
  queryOut: { flags: '--out <file>', help: 'query: file to write its rows to: .csv, .jsonl or .parquet' },
  results: { flags: '--results <folder>', help: 'compare what is in this folder; nothing is run' },
  changed: {
    flags: '--changed <n>',
    help: 'items that changed most: of each task so many on either side',
    fallback: 3,
    parse: count('--changed'),
  },
  comparisonFormat: {
    flags: '--format <name>',
    help: 'default: by the ending of --out, else table',
    choices: wordsOf<ComparisonFormat | 'table'>()(['table', 'md', 'csv', 'latex', 'json', 'html']),
  },
  reportOut: {
    flags: '--out <file>',
    help: 'file to write: .html, .md, .csv, .tex or .json; without it the report is printed',
  },
  out: { flags: '--out <file>', help: '.npy, .safetensors, .parquet or .jsonl; - prints JSON lines' },

  compat: {
    flags: '--compat <profile>',
    help: "whose arithmetic to follow: ours (exact), mergekit 0.1.4's, or that of the method's paper",
    choices: wordsOf<Compat>()(['exact', 'mergekit-0.1.4', 'paper']),
    fallback: 'exact',
  },
  randomSeed: {
    flags: '--random-seed <n>',
    help: 'seed of everything random',
    fallback: 0,
    parse: count('--random-seed'),
  },
  outShardSize: {
    flags: '--out-shard-size <size>',
    help: 'largest file to write (decimal; default 5B)',
    parse: decimalBytes('--out-shard-size'),
  },
  memory: { flags: '--memory <size>', help: 'memory limit (default 1G)', parse: bytes('--memory') },
  inputHashes: {
    flags: '--no-input-hashes',
    help: 'leave the SHA-256 of the input files out of the manifest: it takes one more read of them',
  },
  iUnderstandThisIsNotUsefulWithoutTraining: {
    flags: '--i-understand-this-is-not-useful-without-training',
    help: 'allow experts that only training can tell apart',
  },
  overwrite: { flags: '--overwrite', help: 'replace an existing output folder' },

  model: { flags: '--model <model>', help: 'the fine-tuned model' },
  baseModel: { flags: '--base-model <model>', help: 'the model it was fine-tuned from' },
  outPath: { flags: '--out-path <folder>', help: 'folder to write' },
  maxRank: { flags: '--max-rank <n>', help: 'largest rank per module', fallback: 128, parse: positive('--max-rank') },
  distributeScale: {
    flags: '--distribute-scale',
    help: 'square roots of the singular values on both factors (default)',
  },
  noDistributeScale: {
    flags: '--no-distribute-scale',
    help: 'all singular values on A, so that the columns of B are orthonormal',
  },
  embedLora: { flags: '--embed-lora', help: 'factors for embeddings and head too, instead of full copies' },
  noEmbedLora: { flags: '--no-embed-lora', help: 'full copies of embeddings and head (default)' },
  saveModule: {
    flags: '--save-module <name>',
    help: 'save this module in full, by its name or the last part of it; repeatable',
    repeated: true,
  },
  includeRegex: {
    flags: '-i, --include-regex <regex>',
    help: 'only modules whose name matches; repeatable',
    repeated: true,
  },
  excludeRegex: {
    flags: '-e, --exclude-regex <regex>',
    help: 'no modules whose name matches; repeatable',
    repeated: true,
  },
  svEpsilon: {
    flags: '--sv-epsilon <x>',
    help: 'drop singular values at or below this',
    fallback: 0,
    parse: atLeastZero('--sv-epsilon'),
  },
  skipUndecomposable: {
    flags: '--skip-undecomposable',
    help: 'leave out norms and other modules without factors instead of saving them in full',
  },

  approximationMethod: {
    flags: '-a, --approximation-method <name>',
    help: 'how to approximate tokens that only the donor has',
    choices: wordsOf<TransplantOptions['method']>()([
      'omp',
      'common_interpolation',
      'subword',
      'mean',
      'zero',
      'randn',
      'john_hewitt',
      'landmark_pca',
      'stb',
      'mp_rope',
    ]),
    fallback: 'omp',
  },
  k: { flags: '-k, --k <n>', help: 'most shared tokens per approximated token', fallback: 64, parse: positive('--k') },
  weightScheme: {
    flags: '-w, --weight-scheme <name>',
    help: 'how common_interpolation weights neighbours',
    choices: wordsOf<TransplantOptions['weightScheme']>()(['distance_proportional', 'barycentric', 'least_squares']),
    fallback: 'distance_proportional',
  },
  cosineSimilarity: {
    flags: '-c, --cosine-similarity',
    help: 'common_interpolation: neighbours by cosine instead of distance',
  },
  noCosineSimilarity: {
    flags: '--no-cosine-similarity',
    help: 'common_interpolation: neighbours by distance (default)',
  },
  subwordMethod: {
    flags: '-s, --subword-method <name>',
    help: 'how subword combines the pieces of a token',
    choices: wordsOf<TransplantOptions['subwordMethod']>()(['mean', 'sum', 'weighted_mean', 'first_last']),
    fallback: 'mean',
  },
  batchSize: {
    flags: '--batch-size <n>',
    help: 'tokens to approximate at once; -1 for all',
    fallback: 512,
    parse: whole('--batch-size'),
  },
  prefixMatch: {
    flags: '--prefix-match <where>',
    help: 'use the row of the longest known prefix instead of an approximation, in these tables (yes: both)',
    choices: wordsOf<TransplantOptions['prefixMatch']>()(['no', 'lm_head', 'embed', 'yes']),
    fallback: 'no',
  },
  byteMatch: {
    flags: '--byte-match <where>',
    help: 'share rows between characters and <0x..> tokens of the same byte, in these tables (yes: both)',
    choices: wordsOf<TransplantOptions['byteMatch']>()(['no', 'lm_head', 'embed', 'yes']),
    fallback: 'no',
  },
  magikarp: { flags: '--magikarp', help: 'leave out tokens that look untrained' },
  noMagikarp: { flags: '--no-magikarp', help: 'use every shared token (default)' },
  newVocabNoise: {
    flags: '--new-vocab-noise <x>',
    help: 'standard deviation of Gaussian noise added to approximated rows',
    fallback: 0,
    parse: atLeastZero('--new-vocab-noise'),
  },
  newVocabScale: {
    flags: '--new-vocab-scale <x>',
    help: 'factor applied to approximated rows',
    fallback: 1,
    parse: finite('--new-vocab-scale'),
  },
  size: { flags: '--size <size>', help: 'trim the cache to this size', parse: bytes('--size') },

  repoType: {
    flags: '--repo-type <type>',
    help: 'type of the repository',
    choices: wordsOf<RepoType>()(['model', 'dataset']),
    fallback: 'model',
  },
  revision: {
    flags: '--revision <name>',
    help: 'branch, tag, commit or refs/pr/N; for push a branch, created if needed (default main)',
  },
  private: { flags: '--private', help: 'make the repository private if it is created' },
  include: {
    flags: '--include <pattern>',
    help: 'only paths that match (* matches / too); repeatable',
    repeated: true,
  },
  exclude: { flags: '--exclude <pattern>', help: 'no paths that match; repeatable', repeated: true },
  delete: {
    flags: '--delete <pattern>',
    help: 'delete matching files of the repository in the same commit; repeatable',
    repeated: true,
  },
  commitMessage: { flags: '--commit-message <text>', help: 'first line of the commit message' },
  commitDescription: { flags: '--commit-description <text>', help: 'rest of the commit message' },
  createPr: { flags: '--create-pr', help: 'open a pull request instead of committing' },
  token: { flags: '--token <token>', help: 'token to use instead of HF_TOKEN or the stored login' },
  localDir: { flags: '--local-dir <folder>', help: 'folder for the files, instead of the Hugging Face cache' },
  hubCacheDir: {
    flags: '--cache-dir <folder>',
    help: 'Hugging Face cache (default: $HF_HUB_CACHE, else $HF_HOME/hub)',
  },
  forceDownload: { flags: '--force-download', help: 'download again what is already here' },
  maxWorkers: { flags: '--max-workers <n>', help: 'parallel transfers (default 8)', parse: positive('--max-workers') },
} as const satisfies Record<string, Flag>

export type FlagName = keyof typeof flags
