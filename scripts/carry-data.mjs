// Fills assets/ from the shared folder ($STRATA_SHARED, default ../shared): what the demo and `strata doctor` need offline, and whose licences allow it.
//
//   assets/hub      a Hugging Face cache of plain files: all-MiniLM-L6-v2 (float16), STS17, Banking77, XQuAD, at the names and revisions of the registry
//   assets/bench    256 queries of Banking77, for `strata bench`
//   assets/golden   two tiny seeded models with the reference implementation's outputs
//
// The same input gives the same bytes. NOTICE says where everything comes from and what was changed; a data set without an entry there is not carried.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

const root = join(import.meta.dirname, '..')
const shared = process.env.STRATA_SHARED ?? join(root, '..', 'shared')
const assets = join(root, 'assets')
const hub = join(assets, 'hub')

const registry = new Map(
  JSON.parse(readFileSync(join(shared, 'specs', 'mteb_registry.json'), 'utf8')).tasks.map((task) => [
    task.name,
    task.dataset,
  ]),
)

/** Folder of a repository's snapshot, with the branch `main` pointing at it. */
function snapshot(kind, name, revision) {
  const repo = join(hub, `${kind}--${name.replaceAll('/', '--')}`)
  write(join(repo, 'refs', 'main'), revision)
  return join(repo, 'snapshots', revision)
}

/** `configs`: config → split → [path in the repository, source below data/ (a .jsonl.gz or .tsv)]. */
function carryDataset(task, { licence, source }, configs) {
  const { path, revision } = registry.get(task)
  const folder = snapshot('datasets', path, revision)
  const head = ['---', `license: ${licence}`, 'configs:']
  for (const [config, splits] of Object.entries(configs)) {
    head.push(`- config_name: ${JSON.stringify(config)}`, '  data_files:')
    for (const [split, [file, from]] of Object.entries(splits)) {
      head.push(`  - split: ${split}`, `    path: ${JSON.stringify(file)}`)
      write(join(folder, file), gzipSync(rowsOf(join(shared, 'data', from)), { level: 9 }))
    }
  }
  write(
    join(folder, 'README.md'),
    `${head.join('\n')}\n---\n\n${source} Licence: ${licence}. See NOTICE at the root of the repository that carries this copy.\n`,
  )
}

/** JSON lines of a source: as they are, or made from the relevance judgements' table. */
function rowsOf(path) {
  if (path.endsWith('.gz')) return gunzipSync(readFileSync(path))
  const [header, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n')
  if (header !== 'query-id\tcorpus-id\tscore') throw new Error(`${path}: unexpected header ${header}`)
  return lines
    .map((line) => {
      const [query, document, score] = line.split('\t')
      return `${JSON.stringify({ 'query-id': query, 'corpus-id': document, score: Number(score) })}\n`
    })
    .join('')
}

function write(path, content) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

function copyFolder(from, to) {
  for (const name of readdirSync(from, { recursive: true })) {
    if (name === 'SOURCE.md' || statSync(join(from, name)).isDirectory()) continue
    mkdirSync(dirname(join(to, name)), { recursive: true })
    copyFileSync(join(from, name), join(to, name))
  }
}

/** Every twelfth text of a split, 256 at most, one per line: what `strata bench` encodes. */
function writeTexts(path, from) {
  const rows = rowsOf(from)
    .toString()
    .trimEnd()
    .split('\n')
    .filter((_, at) => at % 12 === 0)
  const texts = rows.slice(0, 256).map((line) => JSON.parse(line).text.split(/\s+/).filter(Boolean).join(' '))
  write(path, `${texts.join('\n')}\n`)
}

function subfolders(path) {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

function sizeOf(path) {
  const names = readdirSync(path, { recursive: true }).filter((name) => statSync(join(path, name)).isFile())
  return names.reduce((sum, name) => sum + statSync(join(path, name)).size, 0)
}

if (!existsSync(join(shared, 'data'))) throw new Error(`no data below ${shared}: set STRATA_SHARED`)
for (const folder of ['hub', 'golden']) rmSync(join(assets, folder), { recursive: true, force: true })

copyFolder(
  join(shared, 'models', 'all-MiniLM-L6-v2'),
  snapshot('models', 'sentence-transformers/all-MiniLM-L6-v2', '8b3219a92973c328a8e22fadcfa821b5dc75636a'),
)
carryDataset(
  'STS17',
  { licence: 'cc-by-sa-4.0', source: 'STS 2017, SemEval-2017 task 1: evaluation pairs and gold scores.' },
  Object.fromEntries(
    subfolders(join(shared, 'data', 'sts17')).map((pair) => [
      pair,
      { test: [`${pair}/test.jsonl.gz`, `sts17/${pair}/test.jsonl.gz`] },
    ]),
  ),
)
carryDataset(
  'Banking77Classification',
  { licence: 'cc-by-4.0', source: 'Banking77 (PolyAI): online banking queries and their intents.' },
  {
    default: Object.fromEntries(
      ['train', 'test'].map((split) => [split, [`${split}.jsonl.gz`, `banking77/${split}.jsonl.gz`]]),
    ),
  },
)
carryDataset(
  'XQuADRetrieval',
  {
    licence: 'cc-by-sa-4.0',
    source: 'XQuAD (DeepMind) as retrieval: contexts, questions, and which context answers which question.',
  },
  Object.fromEntries(
    subfolders(join(shared, 'data', 'xquad')).flatMap((language) =>
      [
        ['corpus', `xquad/${language}/corpus.jsonl.gz`],
        ['queries', `xquad/${language}/queries.jsonl.gz`],
        ['qrels', `xquad/${language}/qrels/validation.tsv`],
      ].map(([part, from]) => [`${language}-${part}`, { validation: [`${language}/${part}.jsonl.gz`, from] }]),
    ),
  ),
)
writeTexts(join(assets, 'bench', 'texts.txt'), join(shared, 'data', 'banking77', 'test.jsonl.gz'))
for (const family of ['bert', 'llama'])
  copyFolder(join(shared, 'models', 'pico', family), join(assets, 'golden', family))

for (const folder of [...readdirSync(hub).map((name) => join('hub', name)), 'golden'])
  console.log(`${(sizeOf(join(assets, folder)) / 1000).toFixed(0).padStart(6)} kB  assets/${folder}`)
