/**
 * Real mergekit and Strata on the same recipes: 0.1.5 against `--compat exact`, 0.1.4 against `--compat
 * mergekit-0.1.4`; every tensor, config and tokenizer compared, every output loaded by transformers and asked for a few
 * tokens.
 *
 *   node bench/run.mjs merge-parity [--only TEXT] [--release 0.1.4] [--reuse true]
 *
 * `--reuse` keeps mergekit's outputs of the run before; `--only` (parts of names, with commas) renews those cases in
 * the result of the whole run. Environments: bench/README.md.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { flag } from '../../bench/lib/flags.ts'
import { type MergeCase, mergeCases, type Release, releases } from '../../bench/lib/merge-cases.ts'
import { compareConfigs, compareTensors } from '../../bench/lib/merge-compare.ts'
import { parityResults, peers, scratch, scratchFolder, shared } from '../../bench/lib/places.ts'
import { table, writeResult } from '../../bench/lib/report.ts'
import { mergeMethods, openMergeFile, writeMerge } from '../../bench/lib/strata.ts'

if (shared === undefined) throw new Error('needs the shared models: STRATA_SHARED')
const work = scratchFolder('merge-parity')
const models = join(work, 'models')
const compats = { '0.1.4': 'mergekit-0.1.4', '0.1.5': 'exact' } as const
const pythonOf = (release: Release): string => join(scratch, `mergekit-${release}`, 'bin', 'python')

if (!existsSync(models)) python('0.1.4', [join(peers, 'python', 'merge_models.py'), shared, models])

const only = flag('only', '')
const cases = mergeCases.filter(({ id, method }) => only.split(',').some((text) => `${method} ${id}`.includes(text)))
const wanted = releases.filter((release) => flag('release', release) === release)
const reuse = flag('reuse', 'false') === 'true'

interface Outcome {
  readonly method: string
  readonly id: string
  readonly dtype: string
  readonly release: Release
  /**
   * `rounded there`: only because 0.1.5 rounds every step to 16 bits. Its float32 arithmetic on the same files agrees,
   * and `exact` gives the same bits for both; or what
   * `mergekit-0.1.4` gives, which rounds the same steps, agrees.
   */
  readonly status:
    | 'agrees'
    | 'rounded there'
    | 'differs'
    | 'refused by mergekit'
    | 'refused by strata'
    | 'refused by both'
  /** mergekit computed in the files' 16-bit type. */
  readonly narrow: boolean
  readonly elements: number
  readonly worst: number
  /** Of the last place of the largest operand; 16-bit outputs. */
  readonly units: number
  /**
   * Elements beyond the tolerance, and those of them that lie on the border of a selection, where which is kept is
   * undefined.
   */
  readonly beyond: number
  readonly onBorder: number
  readonly tolerance: number | string
  readonly problems: readonly string[]
}

const outcomes: Outcome[] = []
for (const release of wanted) {
  const own = await compareAll(release)
  outcomes.push(...own)
  const known =
    only !== '' && existsSync(recorded(release))
      ? (JSON.parse(readFileSync(recorded(release), 'utf8')) as Outcome[])
      : []
  const again = new Map(own.map((outcome) => [`${outcome.method} ${outcome.id}`, outcome]))
  const all = known.map((outcome) => again.get(`${outcome.method} ${outcome.id}`) ?? outcome)
  if (only === '' || known.length > 0) writeFileSync(recorded(release), JSON.stringify(only === '' ? own : all))
}
if (releases.every((release) => existsSync(recorded(release)))) {
  const all = releases.flatMap((release) => JSON.parse(readFileSync(recorded(release), 'utf8')) as Outcome[])
  writeResult('merge-parity', { releases, vectors: vectorCounts(shared), cases: all }, { folder: parityResults })
}

/**
 * Method → status → vectors in the shared file, which test/model/merge-methods/vectors.test.ts holds the methods to.
 */
function vectorCounts(folder: string): Record<string, Record<string, number>> {
  const { vectors } = JSON.parse(readFileSync(join(folder, 'specs', 'merge_vectors.json'), 'utf8')) as {
    vectors: { method: string; status: string }[]
  }
  const counts: Record<string, Record<string, number>> = {}
  for (const { method, status } of vectors) {
    const own = (counts[method] ??= {})
    own[status] = (own[status] ?? 0) + 1
  }
  return counts
}

function recorded(release: Release): string {
  return join(work, `outcomes-${release}.json`)
}

const shown = outcomes.filter(({ status, problems }) => status !== 'agrees' || problems.length > 0)
console.log(
  table([
    ['release', 'method', 'case', 'status', 'worst', 'units', 'beyond', 'on border', 'problems'],
    ...shown.map(({ release, method, id, status, worst, units, beyond, onBorder, problems }) => [
      release,
      method,
      id,
      status,
      worst.toExponential(1),
      units.toFixed(1),
      beyond,
      onBorder,
      problems.join(' · ').slice(0, 400),
    ]),
  ]),
)
for (const release of wanted) {
  const own = outcomes.filter((outcome) => outcome.release === release)
  const count = (status: Outcome['status']): number => own.filter((outcome) => outcome.status === status).length
  console.log(
    `${release}: ${own.length} cases, ${count('agrees')} agree, ${count('rounded there')} are rounded at every step there, ${count('differs')} differ, ${count('refused by mergekit')} refused by mergekit only`,
  )
}

async function compareAll(release: Release): Promise<Outcome[]> {
  const jobs = cases.map((one) => jobOf(one, release))
  const open = jobs.filter(({ out }) => !(reuse && existsSync(join(out, 'config.json'))))
  for (const { out } of open) rmSync(out, { recursive: true, force: true })
  const jobsFile = join(work, `jobs-${release}.json`)
  writeFileSync(jobsFile, JSON.stringify(open))
  const errors = new Map(
    python(release, [join(peers, 'python', 'mergekit_run.py'), jobsFile, '1']).flatMap((line) => {
      const { out, error, at } = line as { out: string; error?: string; at?: string }
      return error === undefined ? [] : [[out, `${error} (${at})`] as const]
    }),
  )
  const found: Found[] = []
  for (const [i, one] of cases.entries()) {
    const { config, out: theirs } = jobs[i]!
    const ours = join(work, 'strata', release, nameOf(one))
    const theirError = errors.get(theirs)
    const ourError = await merged(config, ours, release)
    found.push({ one, ours, theirs, outcome: await outcomeOf(one, release, ours, theirs, ourError, theirError) })
  }
  const pairs = found.filter(({ outcome }) => outcome.status === 'agrees' || outcome.status === 'differs')
  const pairsFile = join(work, `pairs-${release}.json`)
  writeFileSync(
    pairsFile,
    JSON.stringify(
      pairs.map(({ one, ours, theirs }) => ({ id: nameOf(one), ours, theirs, classifier: one.classifier === true })),
    ),
  )
  const checks = new Map(
    python(release, [join(peers, 'python', 'merge_check.py'), pairsFile]).map((line) => [
      line['id'],
      line['problems'] as string[],
    ]),
  )
  return Promise.all(
    found.map(async ({ one, outcome, ours, theirs }) => {
      const rounded = outcome.status === 'differs' && release === '0.1.5' && one.narrow === true
      const status =
        rounded && ((await isRoundedThere(one, { ours, theirs }, found)) || (await agreesRounded(one)))
          ? 'rounded there'
          : outcome.status
      return { ...outcome, status, problems: [...outcome.problems, ...(checks.get(nameOf(one)) ?? [])] }
    }),
  )
}

/** Whether the case's twin with float32 arithmetic agrees, and ours has the same bits in both. */
async function isRoundedThere(
  { method, id }: MergeCase,
  { ours, theirs }: Pick<Found, 'ours' | 'theirs'>,
  found: readonly Found[],
): Promise<boolean> {
  const twin = found.find(
    ({ one, outcome }) => one.method === method && one.id === `${id}-f32` && outcome.status === 'agrees',
  )
  if (twin === undefined) return false
  const { beyond, unlike } = await compareTensors(ours, twin.ours, { limit: () => ({ absolute: 0 }) })
  // Buffers of float32 keep their type without dtype and out_dtype, and must agree with theirs as they are.
  const buffers = await compareTensors(ours, theirs, {
    limit: (type) => (type === 'F32' ? { absolute: toleranceOf(method) } : {}),
  })
  return beyond === 0 && unlike.every((line) => line.includes(': F32 [')) && buffers.beyond === 0
}

/** Whether 0.1.5 agrees with the profile that rounds every step. */
async function agreesRounded(one: MergeCase): Promise<boolean> {
  const { config, out: theirs } = jobOf(one, '0.1.5')
  const ours = join(work, 'strata', 'rounded', nameOf(one))
  const error = await merged(config, ours, '0.1.4')
  return (await outcomeOf(one, '0.1.5', ours, theirs, error, undefined)).status === 'agrees'
}

interface Found {
  readonly one: MergeCase
  readonly outcome: Outcome
  readonly ours: string
  readonly theirs: string
}

function nameOf({ method, id }: MergeCase): string {
  return `${method}-${id}`
}

function jobOf(one: MergeCase, release: Release): { config: string; out: string; cache: string } {
  const config = join(work, 'recipes', `${nameOf(one)}.yml`)
  mkdirSync(join(config, '..'), { recursive: true })
  writeFileSync(config, one.recipe.replaceAll('$', `${models}/`))
  return { config, out: join(work, 'mergekit', release, nameOf(one)), cache: join(work, 'lora', release) }
}

async function merged(config: string, out: string, release: Release): Promise<string | undefined> {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(join(out, '..'), { recursive: true })
  try {
    const opened = await openMergeFile(config, { compat: compats[release] })
    await writeMerge(opened, out, { threads: 1 }).finally(() => opened.close())
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function outcomeOf(
  one: MergeCase,
  release: Release,
  ours: string,
  theirs: string,
  ourError: string | undefined,
  theirError: string | undefined,
): Promise<Outcome> {
  const { method, id, dtype, narrow = false, inputs, borders } = one
  const tolerance: number | string = mergeMethods[method as keyof typeof mergeMethods].tolerance
  const head = { method, id, dtype, narrow, release, tolerance }
  const nothing = { elements: 0, worst: 0, units: 0, beyond: 0, onBorder: 0 }
  if (ourError !== undefined || theirError !== undefined) {
    const status =
      ourError === undefined
        ? 'refused by mergekit'
        : theirError === undefined
          ? 'refused by strata'
          : 'refused by both'
    const said = [
      ...(ourError === undefined ? [] : [`strata: ${ourError}`]),
      ...(theirError === undefined ? [] : [`mergekit: ${theirError}`]),
    ]
    return { ...head, ...nothing, status, problems: said }
  }
  const absolute = toleranceOf(method)
  const { where, unlike, reshaped, tensors, apart, lost, ...figures } = await compareTensors(ours, theirs, {
    narrow,
    ...(inputs === undefined ? {} : { inputs: inputs.map((name) => name.replace('$', `${models}/`)) }),
    ...(borders === undefined ? {} : { borders }),
    limit: (type) => (type === 'F32' ? { absolute } : { units: method === 'linear' ? 2 : 1 }),
  })
  const status = figures.beyond === 0 && unlike.length === 0 && tensors > 0 ? 'agrees' : 'differs'
  return {
    ...head,
    status,
    ...figures,
    problems: [
      ...unlike,
      ...reshaped,
      ...(lost > 0 ? [`${lost} elements are NaN there`] : []),
      ...(figures.beyond > 0 ? [`${apart} of ${tensors} tensors, ${where}`] : []),
      ...compareConfigs(ours, theirs),
    ],
  }
}

/** Absolute, for float32. */
function toleranceOf(method: string): number {
  const { tolerance }: { tolerance: number | string } = mergeMethods[method as keyof typeof mergeMethods]
  return typeof tolerance === 'number' ? tolerance : 2e-6
}

function python(release: Release, args: readonly string[]): Record<string, unknown>[] {
  const { status, stdout, stderr } = spawnSync(pythonOf(release), args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: { ...process.env, HF_HUB_OFFLINE: '1', PYTHONHASHSEED: '0' },
  })
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}:\n${stderr.slice(-3000)}`)
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}
