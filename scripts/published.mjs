// Makes src/result/ledger/published.json: main scores that others published, with where each comes from. Scores of the repository embeddings-benchmark/results
// (CC0) and, marked "external", those that model cards report of themselves. node scripts/published.mjs   ($STRATA_SHARED, default ../shared)
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const shared = process.env.STRATA_SHARED ?? join(import.meta.dirname, '..', '..', 'shared')
const { _about, ...entries } = JSON.parse(
  readFileSync(join(shared, 'specs', 'mteb_reference_scores.json'), 'utf8').replaceAll(':NaN', ':null'),
)
const rows = gunzipSync(readFileSync(join(shared, 'data', 'reference', 'mteb_published_scores.jsonl.gz')))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

const round = (score) => Number(score.toFixed(6))
const found = new Map()
const entry = (model, revision, source) => {
  const key = `${model}@${revision}@${source}`
  if (!found.has(key)) found.set(key, { model, revision, source, tasks: {} })
  return found.get(key)
}
const add = (into, task, version, split, subset, score) => {
  const own = (into.tasks[task] ??= { version: version ?? null, scores: {} })
  ;(own.scores[split] ??= {})[subset] ??= round(score)
}

for (const [key, { revision, source, scores, provenance }] of Object.entries(entries)) {
  const model = key.split('@')[0]
  const from =
    revision === 'external' ? 'model card, self-reported' : `${source.repository} @ ${source.commit.slice(0, 12)}`
  const into = entry(model, revision, from)
  for (const [task, parts] of Object.entries(scores)) {
    for (const [part, score] of Object.entries(parts)) {
      if (typeof score !== 'number') continue
      const cut = part.lastIndexOf('/')
      add(into, task, provenance[task]?.mteb_version, part.slice(cut + 1), part.slice(0, cut), score)
    }
  }
}
for (const { model, revision, task, split, subset, main_score: score, mteb_version: version } of rows) {
  if (typeof score !== 'number') continue
  const same = [...found.values()].find(
    (one) => one.model === model && one.revision === revision && !one.source.startsWith('model card'),
  )
  const from =
    revision === 'external'
      ? 'model card, self-reported'
      : (same?.source ?? 'embeddings-benchmark/results @ f4cc6c8b365a')
  add(entry(model, revision, from), task, version, split, subset, score)
}

const lines = [...found.values()].map((one) => JSON.stringify(one))
const out = join(import.meta.dirname, '..', 'src', 'result', 'ledger', 'published.json')
writeFileSync(
  out,
  `{"about":"Published main scores, as fractions: numbers with their provenance. Repository embeddings-benchmark/results (CC0); model cards where marked.","entries":[\n${lines.join(',\n')}\n]}\n`,
)
console.log(
  `${lines.length} entries, ${[...found.values()].reduce((sum, { tasks }) => sum + Object.keys(tasks).length, 0)} tasks`,
)
