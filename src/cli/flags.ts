/** Every flag of the program, once: parsing, --help and docs/cli.md are made from this table. */
import { fault } from '#core'
import type { Device } from '#platform/runtime'

export interface Flag {
  /** commander's notation: `--tasks <names>`, `--json`. */
  readonly flags: string
  readonly help: string
  readonly choices?: readonly string[]
  readonly fallback?: string
  /** May be given several times; the value is a list. */
  readonly repeated?: boolean
  /** Text → value; a thrown fault stops the run with exit code 2. */
  readonly parse?: (text: string) => unknown
}

function positive(name: string): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!Number.isInteger(value) || value < 1) throw fault('usage.value', { place: name, what: 'not a positive whole number', seen: text })
    return value
  }
}

function count(name: string): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!Number.isSafeInteger(value) || value < 0 || text.trim() === '') throw fault('usage.value', { place: name, what: 'not a whole number', seen: text })
    return value
  }
}

function atLeastZero(name: string): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!Number.isFinite(value) || value < 0 || text.trim() === '') throw fault('usage.value', { place: name, what: 'not a number from 0 on', seen: text })
    return value
  }
}

function finite(name: string): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!Number.isFinite(value) || text.trim() === '') throw fault('usage.value', { place: name, what: 'not a number', seen: text })
    return value
  }
}

function whole(name: string): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!Number.isSafeInteger(value) || text.trim() === '') throw fault('usage.value', { place: name, what: 'not a whole number', seen: text })
    return value
  }
}

/** `512M`, `2G`, `50GB`, or plain bytes → bytes (binary multiples). */
function bytes(name: string): (text: string) => number {
  return (text) => {
    const match = /^(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?$/i.exec(text)
    if (match === null) throw fault('usage.value', { place: name, what: 'not a size', seen: text, wanted: 'a number with K, M, G or T' })
    return Math.round(Number(match[1]) * 1024 ** ' kmgt'.indexOf((match[2] ?? '').toLowerCase() || ' '))
  }
}

/** mergekit's sizes: decimal, `B` for billions; `GB` and plain bytes too. */
function decimalBytes(name: string): (text: string) => number {
  return (text) => {
    const match = /^(\d+(?:\.\d+)?)\s*(?:([kmgbt])b?)?$/i.exec(text)
    if (match === null) throw fault('usage.value', { place: name, what: 'not a size', seen: text, wanted: 'a number with K, M, B (or G) or T' })
    const power = { k: 3, m: 6, g: 9, b: 9, t: 12 }[(match[2] ?? '').toLowerCase()] ?? 0
    return Math.round(Number(match[1]) * 10 ** power)
  }
}

const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

export const flags = {
  json: { flags: '--json', help: 'machine-readable output, one document a line' },
  dryRun: { flags: '--dry-run', help: 'print the plan with its cost, do nothing' },
  debug: { flags: '--debug', help: 'show the stack of an error' },
  quiet: { flags: '--quiet', help: 'no progress' },

  tasks: { flags: '--tasks <names>', help: 'task names and globs, separated by commas', parse: list },
  benchmark: {
    flags: '--benchmark <name>',
    help: 'the tasks, splits and subsets of a benchmark, e.g. "MTEB(eng, v2)"; may be repeated; --tasks then chooses among them',
    repeated: true,
  },
  taskFile: { flags: '--task-file <path>', help: 'tasks of your own: a YAML file or a BEIR folder; may be repeated', repeated: true },
  vectors: { flags: '--vectors <file>', help: 'recorded vectors as a model: .npy, .npz or .safetensors, row i for text i of --texts' },
  texts: { flags: '--texts <file>', help: 'texts of --vectors, as strata tasks NAME --texts lists them' },
  listTexts: { flags: '--texts', help: 'list every text the tasks ask, once, for vectors made elsewhere' },
  domains: { flags: '--domains <names>', help: 'only tasks of these domains, e.g. News,Legal', parse: list },
  runnable: { flags: '--runnable', help: 'only tasks that can be run' },
  unsupported: { flags: '--unsupported', help: 'only tasks that cannot be run, with the reason' },
  count: { flags: '--count', help: 'print how many there are' },
  against: {
    flags: '--against <what>',
    help: 'a reference column: published, published:org/name, a folder of results, or org/name[@revision][#representation] in the output folder',
  },
  models: { flags: '--models <names>', help: 'only results of these models; for import: whose results they are', parse: list },
  status: { flags: '--status <state>', help: 'only finished results, or only failures', choices: ['ok', 'failed'] },
  benchmarks: { flags: '--benchmarks', help: 'list benchmarks instead of tasks' },
  types: { flags: '--types <names>', help: 'only tasks of these types', parse: list },
  languages: { flags: '--languages <codes>', help: 'only subsets in these languages or scripts (ISO 639-3 and 15924: eng, eng-Latn, Latn)', parse: list },
  splits: { flags: '--splits <names>', help: 'evaluate these splits instead of the default ones', parse: list },
  subsets: { flags: '--subsets <names>', help: 'evaluate these subsets, by name', parse: list },
  profile: { flags: '--profile <name>', help: 'whose numbers to reproduce', choices: ['mteb-2', 'mteb-1'], fallback: 'mteb-2' },
  kmeans: {
    flags: '--kmeans <profile>',
    help: 'whose k-means clustering follows: scikit-learn ≤ 1.2 (A0), 1.3 – 1.7 (A, the published scores), 1.8 (A1), from 1.9 on (B)',
    choices: ['A0', 'A', 'A1', 'B'],
    fallback: 'A',
  },
  merge: {
    flags: '--merge <recipe>',
    help: 'a merge, run without being written, beside the models: the same as merge:<recipe>; may be repeated',
    repeated: true,
  },
  representation: { flags: '--representation <names>', help: 'default, h<n>, h<n>-<pooling>', parse: list },
  outputFolder: { flags: '--output-folder <folder>', help: 'where results lie', fallback: 'results' },
  overwriteStrategy: {
    flags: '--overwrite-strategy <name>',
    help: 'what to do with finished results',
    choices: ['only-missing', 'always', 'never', 'only-cache'],
    fallback: 'only-missing',
  },
  rows: { flags: '--rows', help: 'print the rows of the tasks named, as their evaluation reads them' },
  limit: { flags: '--limit <n>', help: 'only the first n texts (encode), or rows of each table (tasks --rows)', parse: positive('--limit') },

  layers: { flags: '--layers <list>', help: 'hidden states: all, or indexes such as 0,3,-1 (0 = embeddings)' },
  pooling: { flags: '--pooling <name>', help: 'mean, cls, lasttoken, max, weightedmean, pooler' },
  finalNorm: {
    flags: '--final-norm <rule>',
    help: 'final norm on every state (always) or as the reference returns them (native)',
    choices: ['native', 'always'],
  },
  maxLength: { flags: '--max-length <n>', help: 'tokens of a text, special tokens included', parse: positive('--max-length') },
  prompt: { flags: '--prompt <text>', help: 'text in front of every text' },
  promptName: { flags: '--prompt-name <name>', help: "one of the model's own prompts" },
  paddingSide: { flags: '--padding-side <side>', help: 'side of the padding in token output', choices: ['left', 'right'] },
  architecture: { flags: '--architecture <family>', help: 'read config.json as this family' },
  chat: { flags: '--chat', help: "wrap each text as one user turn of the model's chat template" },

  batchTokens: { flags: '--batch-tokens <n>', help: 'padded tokens of a batch', parse: positive('--batch-tokens') },
  threads: { flags: '--threads <n>', help: 'threads of the engine (default: the cores there are)', parse: positive('--threads') },
  device: { flags: '--device <name>', help: 'where the model runs', choices: ['cpu', 'webgpu', 'cuda'] satisfies Device[], fallback: 'cpu' },
  cacheDir: { flags: '--cache-dir <folder>', help: 'layer vectors (default: $STRATA_CACHE, else ~/.cache/strata)' },
  cacheLimit: { flags: '--cache-limit <size>', help: 'size of that cache', parse: bytes('--cache-limit') },

  inputIds: { flags: '--input-ids <file>', help: 'token ids instead of texts: input_ids, attention_mask and more from a .safetensors file' },
  prefix: { flags: '--prefix <text>', help: 'prefix of the tensor names in --input-ids, e.g. left.' },
  column: { flags: '--column <name>', help: 'column that holds the texts' },
  tokens: { flags: '--tokens', help: 'token states instead of pooled vectors' },
  logits: { flags: '--logits', help: "the head's logits too" },
  out: { flags: '--out <file>', help: '.npy, .safetensors, .parquet or .jsonl' },

  compat: {
    flags: '--compat <profile>',
    help: "whose arithmetic: ours, mergekit 0.1.4's, or the method's paper",
    choices: ['exact', 'mergekit-0.1.4', 'paper'],
    fallback: 'exact',
  },
  randomSeed: { flags: '--random-seed <n>', help: 'seed of random masks', parse: count('--random-seed') },
  outShardSize: { flags: '--out-shard-size <size>', help: 'largest file of the output (decimal; default 5B)', parse: decimalBytes('--out-shard-size') },
  memory: { flags: '--memory <size>', help: 'bound on the memory of a merge (default 1G)', parse: bytes('--memory') },
  inputHashes: { flags: '--no-input-hashes', help: "leave the SHA-256 of the inputs' files out of the manifest: they are read once more for it" },
  iUnderstandThisIsNotUsefulWithoutTraining: {
    flags: '--i-understand-this-is-not-useful-without-training',
    help: 'make a mixture of experts that are all the same model',
  },
  overwrite: { flags: '--overwrite', help: 'replace an output folder that is already there' },

  model: { flags: '--model <model>', help: 'the fine-tuned model' },
  baseModel: { flags: '--base-model <model>', help: 'the model it was tuned from' },
  outPath: { flags: '--out-path <folder>', help: 'folder to write' },
  maxRank: { flags: '--max-rank <n>', help: 'largest rank of a module', fallback: '128', parse: positive('--max-rank') },
  distributeScale: { flags: '--distribute-scale', help: 'the root of the singular values on both factors (default)' },
  noDistributeScale: { flags: '--no-distribute-scale', help: "all of the singular values on A, B's columns orthonormal" },
  embedLora: { flags: '--embed-lora', help: 'factors for embeddings and the head too, instead of whole copies' },
  noEmbedLora: { flags: '--no-embed-lora', help: 'whole copies of embeddings and the head (default)' },
  saveModule: { flags: '--save-module <name>', help: 'save this module whole, by its name or the last part of it; may be repeated', repeated: true },
  includeRegex: { flags: '-i, --include-regex <regex>', help: 'only modules whose name has a match; may be repeated', repeated: true },
  excludeRegex: { flags: '-e, --exclude-regex <regex>', help: 'no modules whose name has a match; may be repeated', repeated: true },
  svEpsilon: { flags: '--sv-epsilon <x>', help: 'leave out singular values at or below this', fallback: '0', parse: atLeastZero('--sv-epsilon') },
  skipUndecomposable: { flags: '--skip-undecomposable', help: 'leave out norms and other modules without factors, instead of saving them whole' },

  // The words of these are the tables' in src/merge/surgeon, which no other command should have to load; a test compares them.
  approximationMethod: {
    flags: '-a, --approximation-method <name>',
    help: 'how rows of tokens that only the donor has are made up',
    choices: ['omp', 'common_interpolation', 'subword', 'mean', 'zero', 'randn', 'john_hewitt', 'landmark_pca', 'stb', 'mp_rope'],
    fallback: 'omp',
  },
  k: { flags: '-k, --k <n>', help: 'shared tokens that a row is made of, at most', fallback: '64', parse: positive('--k') },
  weightScheme: {
    flags: '-w, --weight-scheme <name>',
    help: 'how common_interpolation weighs neighbours',
    choices: ['distance_proportional', 'barycentric', 'least_squares'],
    fallback: 'distance_proportional',
  },
  cosineSimilarity: { flags: '-c, --cosine-similarity', help: 'neighbours of common_interpolation by cosine instead of distance' },
  noCosineSimilarity: { flags: '--no-cosine-similarity', help: 'neighbours by distance (default)' },
  subwordMethod: {
    flags: '-s, --subword-method <name>',
    help: 'how subword joins the pieces',
    choices: ['mean', 'sum', 'weighted_mean', 'first_last'],
    fallback: 'mean',
  },
  batchSize: { flags: '--batch-size <n>', help: 'tokens made up at once; -1 for all', fallback: '512', parse: whole('--batch-size') },
  prefixMatch: {
    flags: '--prefix-match <where>',
    help: 'the row of the longest beginning that the model knows instead of an approximation: in no table, this one, or both',
    choices: ['no', 'lm_head', 'embed', 'yes'],
    fallback: 'no',
  },
  byteMatch: {
    flags: '--byte-match <where>',
    help: 'characters and <0x..> tokens of the same byte share a row: in no table, this one, or both',
    choices: ['no', 'lm_head', 'embed', 'yes'],
    fallback: 'no',
  },
  magikarp: { flags: '--magikarp', help: 'leave out tokens that look untrained' },
  noMagikarp: { flags: '--no-magikarp', help: 'use every shared token (default)' },
  newVocabNoise: { flags: '--new-vocab-noise <x>', help: 'standard deviation of normal noise on approximated rows', parse: atLeastZero('--new-vocab-noise') },
  newVocabScale: { flags: '--new-vocab-scale <x>', help: 'factor of approximated rows', parse: finite('--new-vocab-scale') },
  size: { flags: '--size <size>', help: 'trim to this size', parse: bytes('--size') },

  repoType: { flags: '--repo-type <type>', help: 'what the repository is', choices: ['model', 'dataset'], fallback: 'model' },
  revision: { flags: '--revision <name>', help: 'branch, tag, commit or refs/pr/N; for push a branch, made if it is not there (default main)' },
  private: { flags: '--private', help: 'make the repository private, if it has to be made' },
  include: { flags: '--include <pattern>', help: 'only paths that match (* matches / too); may be repeated', repeated: true },
  exclude: { flags: '--exclude <pattern>', help: 'no paths that match; may be repeated', repeated: true },
  delete: { flags: '--delete <pattern>', help: 'delete files of the repository that match, in the same commit; may be repeated', repeated: true },
  commitMessage: { flags: '--commit-message <text>', help: 'first line of the commit' },
  commitDescription: { flags: '--commit-description <text>', help: 'the lines below' },
  createPr: { flags: '--create-pr', help: 'open a pull request instead of committing' },
  token: { flags: '--token <token>', help: 'instead of HF_TOKEN and the one logged in with' },
  localDir: { flags: '--local-dir <folder>', help: 'put the files there instead of the Hugging Face cache' },
  hubCacheDir: { flags: '--cache-dir <folder>', help: 'the Hugging Face cache (default: $HF_HUB_CACHE, else $HF_HOME/hub)' },
  forceDownload: { flags: '--force-download', help: 'fetch again what is here' },
  maxWorkers: { flags: '--max-workers <n>', help: 'transfers at once (default 8)', parse: positive('--max-workers') },
} as const satisfies Record<string, Flag>

export type FlagName = keyof typeof flags
