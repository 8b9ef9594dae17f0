/**
 * SentEval's probing files (Conneau et al. 2018; facebookresearch/SentEval, `data/probing/*.txt`): lines of split (tr,
 * va, te), label and sentence, tabs between.
 */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fault } from '#core'
import type { ProbeDataSet, ProbeInstance, ProbeSplit } from './data-set.ts'
import { capped } from './splits.ts'

const splits: Readonly<Record<string, ProbeSplit>> = { tr: 'train', va: 'dev', te: 'test' }

/** Holmes's taxonomy, where a file's name says too little. */
const places: Readonly<Record<string, readonly [subfield: string, phenomenon: string]>> = {
  sentence_length: ['syntax', 'sentence length'],
  tree_depth: ['syntax', 'tree-depth'],
  top_constituents: ['syntax', 'top-constituent-task'],
  bigram_shift: ['syntax', 'bigram-shift'],
  subj_number: ['syntax', 'subject number'],
  obj_number: ['syntax', 'object number'],
  past_present: ['semantics', 'tense'],
  word_content: ['semantics', 'word content'],
  odd_man_out: ['semantics', 'semantic odd man out'],
  coordination_inversion: ['semantics', 'coordination inversion'],
}

export async function sentEvalFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw fault('file.missing', { place: folder, what: 'the folder cannot be read', cause })
  })
  const found = names.filter((name) => name.endsWith('.txt')).sort((a, b) => (a < b ? -1 : 1))
  if (found.length === 0)
    throw fault('file.missing', { place: folder, what: 'no .txt files in it', wanted: 'SentEval’s data/probing' })
  return found.map((name) => join(folder, name))
}

export async function buildSentEval(path: string): Promise<ProbeDataSet> {
  const rows = (await readFile(path, 'utf8')).split('\n').flatMap((line, at) => {
    if (line === '') return []
    const [part = '', label, text] = line.replace(/\r$/, '').split('\t')
    const split = splits[part]
    if (split === undefined || label === undefined || text === undefined)
      throw fault('table.read', {
        place: `${path} › line ${at + 1}`,
        what: 'not split, label and sentence',
        seen: line.slice(0, 80),
        wanted: 'tr, va or te; tabs between',
      })
    return [{ id: String(at), label, text, split }]
  })
  const labels = [...new Set(rows.map(({ label }) => label))].sort((a, b) => (a < b ? -1 : 1))
  if (labels.length < 2) throw fault('task.label', { place: path, what: 'fewer than two labels', seen: labels })
  const numbers = new Map(labels.map((label, k) => [label, k]))
  const instances = Object.values(splits).flatMap((split) =>
    capped(
      rows.filter((row) => row.split === split).map((row) => [row]),
      split,
    ).map(({ id, label, text }): ProbeInstance => ({
      id,
      inputs: [{ text }],
      contexts: [],
      label: numbers.get(label) ?? 0,
      split,
    })),
  )
  const name = basename(path, '.txt')
  const [subfield, phenomenon] = places[name] ?? []
  return {
    name: `senteval-${name}`,
    taskType: 'SENTENCE',
    classes: labels.length,
    labels,
    instances,
    subfield,
    phenomenon,
  }
}
