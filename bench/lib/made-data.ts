/**
 * Made-up rows for protocols whose data sets are not at hand: real sentences, seeded labels, laid out at the names and
 * revisions the benchmark's tasks ask for.
 * Scores over them mean nothing; both programs must find the same ones.
 */
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Row = Readonly<Record<string, unknown>>
/** Config → split → rows. */
type Made = Readonly<Record<string, Readonly<Record<string, readonly Row[]>>>>

export interface Repo {
  readonly path: string
  readonly revision: string
}

/** A cache of its own: everything of `base`, by links, and the made-up repositories. Returns the folder for HF_HOME. */
export function writeCache(folder: string, base: string, repos: readonly (readonly [Repo, Made])[]): string {
  const hub = join(folder, 'hub')
  mkdirSync(hub, { recursive: true })
  for (const name of readdirSync(base)) if (!existsSync(join(hub, name))) symlinkSync(join(base, name), join(hub, name))
  for (const [repo, configs] of repos) {
    if (existsSync(join(base, repoFolder(repo)))) continue
    const snapshot = snapshotOf(folder, repo)
    mkdirSync(join(hub, repoFolder(repo), 'refs'), { recursive: true })
    writeFileSync(join(hub, repoFolder(repo), 'refs', 'main'), repo.revision)
    const head = Object.entries(configs).map(([config, splits]) => ({
      config_name: config,
      data_files: Object.keys(splits).map((split) => ({ split, path: `${config}/${split}.jsonl` })),
    }))
    for (const [config, splits] of Object.entries(configs)) {
      mkdirSync(join(snapshot, config), { recursive: true })
      for (const [split, rows] of Object.entries(splits))
        writeFileSync(join(snapshot, config, `${split}.jsonl`), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    }
    writeFileSync(join(snapshot, 'README.md'), `---\n${JSON.stringify({ configs: head })}\n---\n`)
  }
  return folder
}

export function snapshotOf(home: string, repo: Repo): string {
  return join(home, 'hub', repoFolder(repo), 'snapshots', repo.revision)
}

function repoFolder({ path }: Repo): string {
  return `datasets--${path.replace('/', '--')}`
}

/**
 * Task → rows made of the sentences. Numbers come from a counter that is hashed, so that every machine makes the same.
 */
export function madeRows(sentences: readonly string[]): Readonly<Record<string, Made>> {
  const dice = (seed: string, sides: number, i: number): number => {
    let state = 2166136261
    for (const letter of `${seed}/${i}`) state = Math.imul(state ^ letter.charCodeAt(0), 16777619)
    state ^= state >>> 15
    return (Math.imul(state, 2246822519) >>> 8) % sides
  }
  const some = (count: number, from: number): string[] =>
    Array.from({ length: count }, (_, i) => sentences[(from + 7 * i) % sentences.length] ?? '')
  const shuffled = (text: string, i: number): string => {
    const words = text.split(' ')
    const at = dice('cut', words.length, i)
    return [...words.slice(at), ...words.slice(0, at)].join(' ')
  }
  const source = some(300, 1)
  const labels = ['joy', 'anger', 'fear', 'surprise']
  const passages = some(400, 3).map((text, i) => ({ _id: `d${i}`, title: i % 3 === 0 ? `Title ${i}` : '', text }))
  const questions = some(40, 5).map((text, i) => ({ _id: `q${i}`, text }))
  const judged = questions.flatMap(({ _id }, i) =>
    Array.from({ length: 6 }, (_, k) => ({
      'query-id': _id,
      'corpus-id': `d${dice('judged', 400, 10 * i + k)}`,
      score: dice('grade', 3, 10 * i + k),
    })),
  )
  const candidates = questions.map(({ _id }, i) => ({
    'query-id': _id,
    'corpus-ids': [
      ...new Set([
        ...judged.filter((row) => row['query-id'] === _id).map((row) => row['corpus-id']),
        ...Array.from({ length: 20 }, (_, k) => `d${dice('candidate', 400, 30 * i + k)}`),
      ]),
    ],
  }))
  const changed = questions.flatMap(({ _id, text }) => [
    { _id: `${_id}-og`, text },
    { _id: `${_id}-changed`, text },
  ])
  const both = <R extends { 'query-id': string }>(rows: readonly R[]) =>
    rows.flatMap((row) => ['og', 'changed'].map((kind) => ({ ...row, 'query-id': `${row['query-id']}-${kind}` })))
  return {
    BornholmBitextMining: {
      default: { test: source.map((text, i) => ({ sentence1: text, sentence2: shuffled(text, i) })) },
    },
    CEDRClassification: {
      default: Object.fromEntries(
        (['train', 'test'] as const).map((split, s) => [
          split,
          some(400, 11 + s).map((text, i) => ({
            text,
            label: labels.flatMap((_, k) => (dice(`${split}${k}`, 3, i) === 0 ? [k] : [])),
          })),
        ]),
      ),
    },
    AskUbuntuDupQuestions: {
      corpus: { test: passages },
      queries: { test: questions },
      default: { test: judged },
      top_ranked: { test: candidates },
    },
    IFIRNFCorpus: {
      corpus: { test: passages },
      queries: { test: questions },
      default: { test: judged },
      instruction: {
        test: questions.map(({ _id }, i) => ({ 'query-id': _id, instruction: `Only what is about ${labels[i % 4]}.` })),
      },
    },
    Core17InstructionRetrieval: {
      corpus: { test: passages },
      queries: { test: changed },
      default: { test: both(judged) },
      top_ranked: { test: both(candidates) },
      instruction: {
        test: changed.map(({ _id }, i) => ({
          'query-id': _id,
          instruction: `Only what is about ${labels[i % 4]}${_id.endsWith('changed') ? ', and new' : ''}.`,
        })),
      },
      qrel_diff: {
        qrel_diff: questions.map(({ _id }, i) => ({
          'query-id': _id,
          'corpus-ids': judged
            .filter((row) => row['query-id'] === _id && row.score > 0)
            .slice(0, 1 + (i % 2))
            .map((row) => row['corpus-id']),
        })),
      },
    },
    'SummEvalSummarization.v2': {
      default: {
        test: some(30, 13).map((text, i) => ({
          text,
          human_summaries: some(3, 17 * i).map((summary) => shuffled(summary, i)),
          machine_summaries: some(8, 19 * i + 2),
          relevance: Array.from({ length: 8 }, (_, k) => 1 + dice('relevance', 17, 8 * i + k) / 4),
        })),
      },
    },
    RuSciBenchYearPublRegression: Object.fromEntries(
      ['yearpubl_ru', 'yearpubl_en'].map((config, c) => [
        config,
        Object.fromEntries(
          (['train', 'test'] as const).map((split, s) => [
            split,
            some(500, 23 + 10 * c + s).map((text, i) => ({
              text,
              value: 1990 + dice(`year${config}${split}`, 30, i) + text.length / 100,
            })),
          ]),
        ),
      ]),
    ),
  }
}
