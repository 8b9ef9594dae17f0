/**
 * Real mergekit and Strata on recipes with vocabularies, chat templates, types and layers of their own: 0.1.5 against
 * `--compat exact`, 0.1.4 against `--compat mergekit-0.1.4`.
 * Every tensor is compared, rows of vocabularies by token; tokenizers, settings, chats, config.json and a few generated
 * tokens as transformers has them.
 *
 *   node bench/run.mjs tokenizer-parity [--only TEXT] [--release 0.1.4] [--reuse true]
 *
 * `--reuse` keeps mergekit's outputs of the run before. Environments: bench/README.md.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { flag } from '../../bench/lib/flags.ts'
import { compareTensors } from '../../bench/lib/merge-compare.ts'
import { parityResults, peers, scratch, scratchFolder, shared } from '../../bench/lib/places.ts'
import { table, writeResult } from '../../bench/lib/report.ts'
import { openMergeFile, writeMerge } from '../../bench/lib/strata.ts'
import { expectedOf, type TokenizerCase, tokenizerCases } from '../../bench/lib/tokenizer-cases.ts'

if (shared === undefined) throw new Error('needs the shared models: STRATA_SHARED')
const work = scratchFolder('tokenizer-parity')
const models = join(work, 'models')
const releases = ['0.1.4', '0.1.5'] as const
type Release = (typeof releases)[number]
const compats = { '0.1.4': 'mergekit-0.1.4', '0.1.5': 'exact' } as const
const pythonOf = (release: Release): string => join(scratch, `mergekit-${release}`, 'bin', 'python')
if (!existsSync(models)) python('0.1.4', [join(peers, 'python', 'tokenizer_models.py'), shared, models])

const only = flag('only', '')
const cases = tokenizerCases.filter(({ id }) => only.split(',').some((text) => id.includes(text)))
const reuse = flag('reuse', 'false') === 'true'

/**
 * For values up to 1, larger ones in proportion. float32: the sums of some products, in another order than theirs. 16
 * bits: two units of the last place of an operand between ½ and 1, as rows by token have operands of their own, which
 * may cancel; ours are rounded once.
 */
const limits: Readonly<Record<string, number>> = { F32: 2e-6, BF16: 2 ** -7, F16: 2 ** -10 }

interface Outcome {
  readonly id: string
  readonly release: Release
  /** `on purpose`: differs as the table of bench/lib/tokenizer-cases.ts says, and in nothing else. */
  readonly status: 'agrees' | 'on purpose' | 'differs' | 'refused by mergekit' | 'refused by strata' | 'refused by both'
  readonly elements: number
  readonly worst: number
  /** Why they differ on purpose. */
  readonly why: readonly string[]
  readonly problems: readonly string[]
}

const outcomes: Outcome[] = []
for (const release of releases.filter((one) => flag('release', one) === one))
  outcomes.push(...(await compareAll(release)))
console.log(
  table([
    ['release', 'case', 'status', 'worst', 'problems'],
    ...outcomes
      .filter(({ status }) => status !== 'agrees')
      .map(({ release, id, status, worst, why, problems }) => [
        release,
        id,
        status,
        worst.toExponential(1),
        [...why.map((text) => `(${text})`), ...problems].join(' · ').slice(0, Number(flag('width', '500'))),
      ]),
  ]),
)
for (const release of releases) {
  const own = outcomes.filter((outcome) => outcome.release === release)
  const count = (status: Outcome['status']): number => own.filter((outcome) => outcome.status === status).length
  if (own.length > 0)
    console.log(
      `${release}: ${own.length} cases, ${count('agrees')} agree, ${count('on purpose')} differ on purpose, ${count('differs')} differ, ${count('refused by both')} refused by both, ${count('refused by mergekit')} by mergekit only, ${count('refused by strata')} by strata only`,
    )
}
if (only === '' && flag('release', '') === '')
  writeResult('tokenizer-parity', { releases, cases: outcomes }, { folder: parityResults })

interface Placed {
  readonly one: TokenizerCase
  readonly config: string
  readonly ours: string
  readonly theirs: string
}

async function compareAll(release: Release): Promise<Outcome[]> {
  const placed = cases.map((one) => placeOf(one, release))
  const open = placed.filter(({ theirs }) => !(reuse && existsSync(join(theirs, 'config.json'))))
  for (const { theirs } of open) rmSync(theirs, { recursive: true, force: true })
  const jobs = join(work, `jobs-${release}.json`)
  const cache = join(work, 'lora', release)
  writeFileSync(
    jobs,
    JSON.stringify(
      open.map(({ one, config, theirs: out }) => ({
        config,
        out,
        cache,
        ...(one.several === true ? { parts: join(work, 'parts', release, basename(out)) } : {}),
      })),
    ),
  )
  rmSync(join(work, 'parts', release), { recursive: true, force: true })
  const errors = new Map(
    python(release, [join(peers, 'python', 'mergekit_run.py'), jobs, '1']).flatMap(({ out, error, at }) =>
      typeof error === 'string' ? [[String(out), `${error} (${String(at)})`] as const] : [],
    ),
  )
  const found: { place: Placed; ourError: string | undefined; theirError: string | undefined }[] = []
  for (const place of placed)
    found.push({ place, ourError: await merged(place, release), theirError: errors.get(place.theirs) })
  const written = found.filter(({ ourError }) => ourError === undefined)
  const pairs = join(work, `pairs-${release}.json`)
  writeFileSync(
    pairs,
    JSON.stringify(
      written.map(({ place: { one, ours, theirs }, theirError }) => ({
        id: one.id,
        ours,
        theirs: theirError === undefined ? theirs : null,
        kind: one.kind ?? 'causal',
        anyStart: one.anyStart === true,
        start: startOf(one),
      })),
    ),
  )
  const checks = new Map(
    python(release, [join(peers, 'python', 'tokenizer_check.py'), pairs]).map((row) => [String(row['id']), row]),
  )
  const outcomes: Outcome[] = []
  for (const { place, ourError, theirError } of found)
    outcomes.push(await outcomeOf(place, release, ourError, theirError, checks.get(place.one.id)))
  return outcomes
}

/** The model whose ids the output must keep, where one is named. */
function startOf({ recipe }: TokenizerCase): string | undefined {
  const source = /(?:tokenizer_)?source: \$([\w-]+)\n/.exec(recipe)?.[1]
  const base = /^base_model: \$([\w-]+)/m.exec(recipe)?.[1]
  const name = /^tokenizer/m.test(recipe) && /tokenizer_source: \$/.test(recipe) ? source : base
  return name === undefined ? undefined : join(models, name)
}

async function outcomeOf(
  { one, ours, theirs }: Placed,
  release: Release,
  ourError: string | undefined,
  theirError: string | undefined,
  check: Record<string, unknown> | undefined,
): Promise<Outcome> {
  const head = { id: one.id, release }
  const plain = (text: string): string => text.replaceAll(`${models}/`, '').replaceAll(`${work}/`, '')
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
    const own = ourError === undefined ? ((check?.['problems'] ?? []) as string[]) : []
    return { ...head, status, elements: 0, worst: 0, why: [], problems: [...said, ...own].map(plain) }
  }
  const { where, unlike, reshaped, elements, worst, beyond, lost } = await compareTensors(ours, theirs, {
    limit: (type) => ({ absolute: limits[type] ?? 0 }),
  })
  const said = [
    ...unlike,
    ...reshaped,
    ...(lost > 0 ? [`${lost} elements are NaN there`] : []),
    ...(beyond > 0 ? [`${beyond} elements, ${where}`] : []),
    ...((check?.['problems'] ?? []) as string[]),
    ...(typeof check?.['theirsError'] === 'string' ? [`mergekit’s output: ${check['theirsError']}`] : []),
  ].map(plain)
  const expected = expectedOf(one, release)
  const problems = said.filter((text) => !expected.some(({ problem }) => problem.test(text)))
  const why = [
    ...new Set(
      said.flatMap((text) => expected.filter(({ problem }) => problem.test(text)).map(({ why: reason }) => reason)),
    ),
  ]
  return {
    ...head,
    status: problems.length > 0 ? 'differs' : why.length > 0 ? 'on purpose' : 'agrees',
    elements,
    worst,
    why,
    problems,
  }
}

function placeOf(one: TokenizerCase, release: Release): Placed {
  const name = one.id.replaceAll(/[^\w]+/g, '-')
  const config = join(work, 'recipes', `${name}.yml`)
  mkdirSync(join(config, '..'), { recursive: true })
  writeFileSync(config, one.recipe.replaceAll('$', `${models}/`))
  return { one, config, ours: join(work, 'strata', release, name), theirs: join(work, 'mergekit', release, name) }
}

async function merged({ config, ours }: Placed, release: Release): Promise<string | undefined> {
  rmSync(ours, { recursive: true, force: true })
  mkdirSync(join(ours, '..'), { recursive: true })
  try {
    const opened = await openMergeFile(config, { compat: compats[release] })
    await writeMerge(opened, ours, { threads: 1 }).finally(() => opened.close())
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
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
    .flatMap((line): Record<string, unknown>[] =>
      line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : [],
    )
}
