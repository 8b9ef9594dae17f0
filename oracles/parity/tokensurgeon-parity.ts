/**
 * Real mergekit-tokensurgeon and Strata on the same models: every tensor compared, configs and tokenizers as
 * transformers reads them, both outputs asked for a few tokens.
 *
 *   node bench/run.mjs tokensurgeon-parity [--only TEXT] [--release 0.1.4] [--reuse true]
 *
 * Rows that are copied must be equal to the bit. Of rows that are made up, the largest distance over the row's own
 * length is told. `--reuse` keeps mergekit's outputs.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { flag } from '../../bench/lib/flags.ts'
import { parityResults, peers, scratch, scratchFolder, shared } from '../../bench/lib/places.ts'
import { table, writeResult } from '../../bench/lib/report.ts'
import { openTransplant, writeTransplant } from '../../bench/lib/strata.ts'
import { compareTables } from '../../bench/lib/table-compare.ts'

if (shared === undefined) throw new Error('needs the shared models: STRATA_SHARED')
const work = scratchFolder('tokensurgeon')
const models = join(work, 'models')
const releases = ['0.1.4', '0.1.5'] as const
type Release = (typeof releases)[number]

const pairs = [
  ['stories', 'pythia'],
  ['pythia', 'stories'],
  ['pythia', 'gpt2'],
  ['stories', 'llama'],
  ['gpt2', 'chat'],
  ['llamab', 'gpt2'],
] as const

/** Flags, and how far a made-up row may lie from mergekit's, as a share of its length. */
const cases: readonly (readonly [flags: string, tolerance: number])[] = [
  ['-a mean', 2e-6],
  ['-a zero', 0],
  ['-a subword', 2e-6],
  ['-a subword -s sum', 2e-6],
  ['-a subword -s weighted_mean', 2e-6],
  ['-a subword -s first_last', 0],
  ['-k 4', 2e-5],
  ['-k 16', 2e-5],
  ['-k 48', 1e-4],
  // Distances there come from a float32 product, in which near points cancel.
  ['-a common_interpolation -k 8', 2e-3],
  ['-a common_interpolation -k 8 -c', 1e-4],
  // Normal equations in float32.
  ['-a common_interpolation -k 8 -w barycentric', 2e-2],
  ['-a common_interpolation -k 8 -w least_squares', 1e-3],
  ['-a common_interpolation -k 8 -w least_squares -c', 1e-3],
  ['-a mp_rope -k 8', 1e-3],
  ['-a mean --prefix-match yes', 2e-6],
  ['-a mean --prefix-match lm_head', 2e-6],
  ['-a mean --byte-match yes', 2e-6],
  ['-a mean --byte-match embed', 2e-6],
  ['-k 4 --magikarp', 1e-4],
  ['-k 4 --new-vocab-scale 0.5', 1e-4],
]

const pythonOf = (release: Release): string => join(scratch, `mergekit-${release}`, 'bin', 'python')
if (!existsSync(models)) python('0.1.4', [join(peers, 'python', 'tokensurgeon_models.py'), shared, models])
const only = flag('only', '')
const reuse = flag('reuse', 'false') === 'true'
const jobs = pairs
  .flatMap(([model, donor]) => cases.map(([flags, tolerance]) => ({ model, donor, flags, tolerance })))
  .filter(({ model, donor, flags }) => `${model} ${donor} ${flags}`.includes(only))

interface Outcome {
  readonly release: Release
  readonly pair: string
  readonly flags: string
  readonly tolerance: number
  readonly status: 'agrees' | 'differs' | 'refused by mergekit' | 'refused by strata' | 'refused by both'
  /** Copied rows that are not equal; made-up rows, those beyond the tolerance, and the farthest. */
  readonly unequal: number
  readonly made: number
  /** Rows that differ as docs/mergekit.md says. */
  readonly purposeful: number
  readonly beyond: number
  readonly worst: number
  readonly problems: readonly string[]
}

const outcomes: Outcome[] = []
for (const release of releases.filter((one) => flag('release', one) === one))
  outcomes.push(...(await compareAll(release)))
console.log(
  table([
    ['release', 'pair', 'flags', 'status', 'unequal', 'on purpose', 'made', 'beyond', 'worst', 'problems'],
    ...outcomes.map(({ release, pair, flags, status, unequal, purposeful, made, beyond, worst, problems }) => [
      release,
      pair,
      flags,
      status,
      unequal,
      purposeful,
      made,
      beyond,
      worst.toExponential(1),
      problems.join(' · ').slice(0, 300),
    ]),
  ]),
)
if (only === '' && flag('release', '') === '')
  writeResult('tokensurgeon-parity', { releases, cases: outcomes }, { folder: parityResults })

async function compareAll(release: Release): Promise<Outcome[]> {
  const placed = jobs.map((job) => {
    const name = `${job.model}-${job.donor}${job.flags.replaceAll(' ', '')}`
    const [model, donor] = [join(models, job.model), join(models, job.donor)]
    return {
      ...job,
      name,
      model,
      donor,
      pair: `${job.model} ← ${job.donor}`,
      theirs: join(work, 'mergekit', release, name),
      ours: join(work, 'strata', release, name),
    }
  })
  const open = placed.filter(({ theirs }) => !(reuse && existsSync(join(theirs, 'config.json'))))
  for (const { theirs } of open) rmSync(theirs, { recursive: true, force: true })
  const file = join(work, `jobs-${release}.json`)
  // mergekit's middle words mean each other.
  const swapped = (flags: string): string[] =>
    flags.split(' ').map((word) => (word === 'lm_head' ? 'embed' : word === 'embed' ? 'lm_head' : word))
  writeFileSync(
    file,
    JSON.stringify(
      open.map(({ model, donor, theirs, flags }) => ({ args: [model, donor, theirs, ...swapped(flags)] })),
    ),
  )
  const errors = new Map(
    python(release, [join(peers, 'python', 'tokensurgeon_run.py'), file]).flatMap(({ out, error, at }) =>
      error === undefined ? [] : [[String(out), JSON.stringify({ error, at })] as const],
    ),
  )
  const found: (Outcome & { name: string; ours: string; theirs: string })[] = []
  for (const one of placed) {
    const [theirError, own] = [errors.get(one.theirs), await transplanted(one)]
    const ourError = typeof own === 'string' ? own : undefined
    const compared =
      theirError === undefined && typeof own !== 'string'
        ? await compareTables(one.ours, one.theirs, one.donor, own, differsOnPurpose(one.flags, release))
        : { unequal: 0, purposeful: 0, distances: [] as number[], problems: [] as string[] }
    // Of 16 bits each row is rounded once here, there at each step as well: two halves of 2⁻⁸, of weighted sums three.
    const rounding = basename(one.model) === 'llamab' ? 6e-3 : 0
    const beyond = compared.distances.filter((distance) => !(distance <= Math.max(rounding, one.tolerance))).length
    const problems = [
      ...compared.problems,
      ...(theirError === undefined ? [] : [`mergekit: ${theirError}`]),
      ...(ourError === undefined ? [] : [`strata: ${ourError}`]),
    ]
    const status =
      theirError === undefined
        ? ourError === undefined
          ? beyond + compared.unequal + compared.problems.length === 0
            ? 'agrees'
            : 'differs'
          : 'refused by strata'
        : ourError === undefined
          ? 'refused by mergekit'
          : 'refused by both'
    found.push({
      ...one,
      release,
      status,
      unequal: compared.unequal,
      purposeful: compared.purposeful,
      made: compared.distances.length,
      beyond,
      worst: Math.max(0, ...compared.distances),
      problems,
    })
  }
  const pairsFile = join(work, `pairs-${release}.json`)
  writeFileSync(
    pairsFile,
    JSON.stringify(
      found
        .filter(({ status }) => status === 'agrees' || status === 'differs')
        .map(({ name, ours, theirs }) => ({ id: name, ours, theirs, classifier: false })),
    ),
  )
  const checks = new Map(
    python(release, [join(peers, 'python', 'merge_check.py'), pairsFile]).map((row) => [
      String(row['id']),
      row['problems'] as string[],
    ]),
  )
  return found.map(({ name, pair, flags, tolerance, status, unequal, purposeful, made, beyond, worst, problems }) => ({
    release,
    pair,
    flags,
    tolerance,
    status,
    unequal,
    purposeful,
    made,
    beyond,
    worst,
    problems: [...problems, ...(checks.get(name) ?? [])],
  }))
}

/**
 * Characters that stand for control bytes are those bytes here, and a letter beyond ASCII that is a token of its own is
 * none. Special tokens, and text that byte-level tokenizers write in their alphabet, are cut as what they say; a word
 * is not begun twice (transformers 5 agrees). Special tokens without a role are words (so are they there).
 */
function differsOnPurpose(flags: string, release: Release): (token: string) => boolean {
  const oneByte = /^[^\u0021-\u007e]$|^<0x(?:[01][0-9A-F]|20|7F|[89][0-9A-F]|A0|AD)>$/
  const old = release === '0.1.4'
  if (flags.includes('--byte-match')) return (token) => oneByte.test(token)
  if (flags.includes('--prefix-match')) return (token) => old && token.startsWith('<|')
  if (flags.includes('subword'))
    return (token) =>
      /[^\u0021-\u007e]/.test(token.replace(/^[Ġ▁]/, '')) || /^<[^0].*>$/.test(token) || (old && /^[Ġ▁]/.test(token))
  return () => false
}

/** Which rows of which tables were copied, or why there is no output. */
async function transplanted({
  model,
  donor,
  flags,
  ours,
}: {
  model: string
  donor: string
  flags: string
  ours: string
}): Promise<Map<string, Int32Array> | string> {
  rmSync(ours, { recursive: true, force: true })
  const value = (...names: string[]): string | undefined => {
    const words = flags.split(' ')
    const at = words.findIndex((word) => names.includes(word))
    return at < 0 ? undefined : words[at + 1]
  }
  type Options = NonNullable<Parameters<typeof openTransplant>[2]>
  const options = {
    method: value('-a') ?? 'omp',
    k: Number(value('-k') ?? 64),
    weightScheme: value('-w') ?? 'distance_proportional',
    subwordMethod: value('-s') ?? 'mean',
    prefixMatch: value('--prefix-match') ?? 'no',
    byteMatch: value('--byte-match') ?? 'no',
    newVocabScale: Number(value('--new-vocab-scale') ?? 1),
    cosineSimilarity: flags.split(' ').includes('-c'),
    magikarp: flags.includes('--magikarp'),
  } as Options
  try {
    const opened = await openTransplant(model, donor, options)
    await writeTransplant(opened, ours, { threads: 1 }).finally(() => opened.close())
    return new Map(opened.plan.tensors.map(({ name, rows }) => [name, rows.from]))
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).replaceAll(`${models}/`, '')
  }
}

function python(release: Release, args: readonly string[]): Record<string, unknown>[] {
  const { stdout, stderr, status } = spawnSync(pythonOf(release), args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    env: { ...process.env, HF_HUB_OFFLINE: '1' },
  })
  if (status !== 0) throw new Error(stderr.slice(-2000))
  return stdout
    .split('\n')
    .flatMap((line): Record<string, unknown>[] =>
      line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : [],
    )
}
