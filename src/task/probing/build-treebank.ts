/**
 * Probes of a treebank: part of speech (`upos`, `xpos`), the relation of a word to its head (`dep`), depth of the tree,
 * length of the sentence.
 */
import type { ProbeDataSet, ProbeInput, ProbeSplit, TaskType } from './data-set.ts'
import { readTreebank, type Sentence } from './read-sentences.ts'
import { capped } from './splits.ts'

interface Labelled {
  readonly id: string
  readonly inputs: readonly ProbeInput[]
  readonly contexts: readonly string[]
  readonly label: string
}

interface TreebankTask {
  readonly name: string
  readonly taskType: TaskType
  readonly phenomenon: string
  readonly of: (sentence: Sentence) => Labelled[]
}

/** Lengths in words as SentEval bins them (Conneau et al. 2018); others are left out. */
const lengthBins = [
  [5, 8],
  [9, 12],
  [13, 16],
  [17, 20],
  [21, 25],
  [26, 28],
] as const
/** Deeper trees are too few to learn from. */
const deepest = 7

const tasks: readonly TreebankTask[] = [
  {
    name: 'upos',
    taskType: 'SENTENCE_TOKENS',
    phenomenon: 'part-of-speech',
    of: (sentence) => words(sentence, ({ upos }) => upos),
  },
  {
    name: 'xpos',
    taskType: 'SENTENCE_TOKENS',
    phenomenon: 'part-of-speech',
    of: (sentence) => words(sentence, ({ xpos }) => xpos),
  },
  { name: 'dep', taskType: 'SENTENCE_TOKENS', phenomenon: 'dependency parsing', of: relations },
  {
    name: 'tree_depth',
    taskType: 'SENTENCE',
    phenomenon: 'tree-depth',
    of: (sentence) => whole(sentence, depthOf(sentence)),
  },
  {
    name: 'sentence_length',
    taskType: 'SENTENCE',
    phenomenon: 'sentence length',
    of: (sentence) => whole(sentence, binOf(sentence.words.length)),
  },
]

export async function buildTreebank(folder: string): Promise<ProbeDataSet[]> {
  const sentences = await readTreebank(folder)
  return tasks.map(({ name, taskType, phenomenon, of }) => {
    const rows = (Object.keys(sentences) as ProbeSplit[]).flatMap((split) =>
      capped(sentences[split].map(of), split).map((one) => ({ ...one, split })),
    )
    const labels = [...new Set(rows.map(({ label }) => label))].sort((a, b) => (a < b ? -1 : 1))
    const numbers = new Map(labels.map((label, k) => [label, k]))
    const instances = rows.map((one) => ({ ...one, label: numbers.get(one.label) ?? 0 }))
    return { name: `ud-${name}`, taskType, classes: labels.length, labels, instances, subfield: 'syntax', phenomenon }
  })
}

/** Where the words stand in the text, in code points; undefined for one that is not there as it is written. */
function spansOf({ text, words }: Sentence): (ProbeInput | undefined)[] {
  let [at, points] = [0, 0]
  return words.map(({ form }) => {
    const found = text.indexOf(form, at)
    // a word that is not there must not take the place of a later one
    if (found < 0 || text.slice(at, found).trim() !== '') return undefined
    const start = points + Array.from(text.slice(at, found)).length
    const end = start + Array.from(form).length
    ;[at, points] = [found + form.length, end]
    return { text: form, span: { context: 0, start, end } }
  })
}

function words(sentence: Sentence, labelOf: (word: Sentence['words'][number]) => string): Labelled[] {
  const spans = spansOf(sentence)
  return sentence.words.flatMap((word, i) => {
    const [span, label] = [spans[i], labelOf(word)]
    return span === undefined || label === '_'
      ? []
      : [{ id: `${sentence.id}:${i + 1}`, inputs: [span], contexts: [sentence.text], label }]
  })
}

/** Word and head; the relation without its language-specific part. */
function relations(sentence: Sentence): Labelled[] {
  const spans = spansOf(sentence)
  return sentence.words.flatMap(({ head, relation }, i) => {
    const [own, other] = [spans[i], spans[head - 1]]
    if (own === undefined || other === undefined) return []
    return [
      {
        id: `${sentence.id}:${i + 1}`,
        inputs: [own, other],
        contexts: [sentence.text],
        label: relation.replace(/:.*$/, ''),
      },
    ]
  })
}

function whole({ id, text }: Sentence, label: string | undefined): Labelled[] {
  return label === undefined ? [] : [{ id, inputs: [{ text }], contexts: [], label }]
}

/** Words on the longest way to the root; undefined where a circle leads nowhere. */
function depthOf({ words: all }: Sentence): string | undefined {
  let depth = 0
  for (const word of all) {
    let steps = 1
    for (let head = word.head; head !== 0; head = all[head - 1]?.head ?? 0) if (++steps > all.length) return undefined
    depth = Math.max(depth, steps)
  }
  return depth >= deepest ? `${deepest}+` : String(depth)
}

function binOf(length: number): string | undefined {
  const bin = lengthBins.findIndex(([least, most]) => length >= least && length <= most)
  return bin < 0 ? undefined : String(bin)
}
