// Makes src/task/registry/registry.json from the metadata of mteb 2.26.24 (mteb_registry.json), what 1.39.7 called the same data (mteb_tasks.json) and the
// steps of tasks whose rows need them (task-steps/, a file a type). node scripts/task-registry.mjs   ($STRATA_SHARED, default ../shared)
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const specs = join(process.env.STRATA_SHARED ?? join(import.meta.dirname, '..', '..', 'shared'), 'specs')
const read = (path) => JSON.parse(readFileSync(path, 'utf8'))
const registry = read(join(specs, 'mteb_registry.json'))
const older = new Map(read(join(specs, 'mteb_tasks.json')).map((task) => [task.name, task.dataset?.['mteb_1.39.7']]))
const stepFolder = join(import.meta.dirname, 'task-steps')
// a list of steps, or {steps, tables (of a retrieval task), params (what the task's own code sets), unsupported (why the steps cannot say it)}
const own = Object.assign({}, ...readdirSync(stepFolder).map((file) => read(join(stepFolder, file))))
// scores that tasks add with a task_specific_scores of their own, by what they compute
const specific = new Map(
  Object.entries(read(join(import.meta.dirname, 'specific-scores.json'))).flatMap(([kind, tasks]) =>
    tasks.map((name) => [name, kind]),
  ),
)

// tasks whose data mteb keeps to itself: listed with the reason, for the benchmarks that name them
const closed = read(join(import.meta.dirname, 'closed-tasks.json'))
for (const { name } of closed.tasks) own[name] = { unsupported: closed.unsupported }
const entries = [...registry.tasks, ...closed.tasks].map(entry)

// an object rather than a list: the compiler reads this file, and the common type of a thousand list items costs it seconds
const lines = entries.map(({ name, ...task }) => `${JSON.stringify(name)}:${JSON.stringify(task)}`).join(',\n')
writeFileSync(
  join(import.meta.dirname, '..', 'src', 'task', 'registry', 'registry.json'),
  `{"source":"mteb 2.26.24","tasks":{\n${lines}\n}}\n`,
)
console.log(
  `${entries.length} tasks, ${entries.filter(({ ownCode, unsupported }) => !ownCode && !unsupported).length} of them readable from this table`,
)

function entry({
  name,
  type,
  protocol,
  dataset,
  splits,
  subsets,
  mainScore,
  prompt,
  domains,
  licence,
  params: declared,
  members,
  ownCode: code,
  supersededBy,
}) {
  const {
    steps,
    tables,
    params: set,
    unsupported,
  } = Array.isArray(own[name]) ? { steps: own[name] } : (own[name] ?? {})
  const specificScores = specific.get(name)
  const otherCode = (code ?? []).filter((method) => method !== 'task_specific_scores' || specificScores === undefined)
  const ownCode = otherCode.length > 0 ? otherCode : undefined
  const params =
    set || specificScores ? { ...declared, ...(specificScores ? { specificScores } : {}), ...set } : declared
  const alias = older.get(name)
  const isNew = alias && (alias.path !== dataset.path || alias.revision !== dataset.revision)
  return {
    name,
    type,
    protocol,
    dataset: { path: dataset.path, revision: dataset.revision, ...(dataset.name ? { config: dataset.name } : {}) },
    ...(isNew ? { aliases: [{ path: alias.path, revision: alias.revision }] } : {}),
    splits,
    subsets:
      allPairs(subsets) ??
      Object.fromEntries(Object.entries(subsets).map(([subset, languages]) => [subset, languages.join(' ')])),
    mainScore,
    ...(params ? { params } : {}),
    ...(prompt ? { prompt } : {}),
    domains: [...new Set(domains ?? [])],
    licence,
    ...(members ? { members } : {}),
    ...(supersededBy ? { supersededBy } : {}),
    ...(tables ? { tables } : {}),
    ...(steps ? { steps } : tables ? {} : unsupported ? { unsupported } : ownCode ? { ownCode } : {}),
  }
}

/** The languages whose ordered pairs the subsets are, when they are just that: 204 names instead of 41,412. */
function allPairs(subsets) {
  const names = Object.keys(subsets)
  const languages = [...new Set(names.map((name) => name.split('-')[0]))]
  const pairs = languages.flatMap((one) => languages.filter((other) => other !== one).map((other) => `${one}-${other}`))
  const same = names.length > 1 && names.length === pairs.length && names.every((name, i) => name === pairs[i])
  return same && names.every((name) => subsets[name].join() === name.replaceAll('-', ',').replaceAll('_', '-'))
    ? languages
    : undefined
}
