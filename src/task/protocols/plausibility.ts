/**
 * What a score does not show: vectors that are zero or the same for different texts, an accuracy that guessing reaches,
 * an answer that came too fast.
 */
import { decimals, type Embedder, type Matrix, percent, type Scores } from '#core'
import type { Subject } from './evaluate-task.ts'
import { isDivided, type LoadedTask, type PartOf } from '#task/rows'

/** Texts that are looked at; more would only cost memory. */
const watchedTexts = 50_000
/**
 * Share of different texts with a vector of another one that is worth a word: models that ignore case and punctuation
 * stay below.
 */
const duplicateShare = 0.1
/**
 * Seconds below which nothing was computed: the empty results of mteb 1.39.7 took 5e-06 s, a small task whose
 * vectors were all cached took 9.9e-04 s.
 */
const tooFast = 1e-4

export interface Watch<Model> {
  readonly model: Model
  notices(): string[]
}

/** The embedder or classifier, with an eye on what it returns; scores of pairs are not looked at. */
export function watched<Model extends Subject>(model: Model): Watch<Model> {
  const sides = new Map<string, Set<string>>()
  const digests = new Set<number>()
  let [count, zero] = [0, 0]
  const seen = (matrix: Matrix, texts: readonly string[], side = ''): Matrix => {
    const known = sides.get(side) ?? new Set<string>()
    sides.set(side, known)
    for (let row = 0; row < texts.length && count < watchedTexts; row++) {
      const text = texts[row] ?? ''
      if (known.has(text)) continue
      known.add(text)
      count++
      const digest = rowDigest(matrix, row)
      if (digest === undefined) zero++
      else digests.add(digest)
    }
    return matrix
  }
  const watchedEmbedder = (embedder: Embedder): Pick<Embedder, 'embed' | 'calibrate'> => ({
    embed: async (texts, options) => seen(await embedder.embed(texts, options), texts, options?.promptType),
    ...(embedder.calibrate === undefined
      ? {}
      : {
          async calibrate(groups, call) {
            const calibrated = (await embedder.calibrate?.(groups, call)) ?? embedder
            return { ...calibrated, ...watchedEmbedder(calibrated) }
          },
        }),
  })
  const watching = (): Partial<Subject> => {
    if ('logits' in model) return { logits: async (texts, options) => seen(await model.logits(texts, options), texts) }
    return 'embed' in model ? watchedEmbedder(model) : {}
  }
  return {
    model: { ...model, ...watching() },
    notices() {
      const same = count - zero - digests.size
      return [
        ...(zero === 0
          ? []
          : [`${percent(zero, { of: count })} of the texts have a vector of zeros (${zero} of ${count})`]),
        ...(count > 1 && same / count >= duplicateShare
          ? [`${percent(same, { of: count })} of the texts have the vector of another text (${same} of ${count})`]
          : []),
      ]
    },
  }
}

/** Suspicions about finished scores. */
export function implausible(loaded: LoadedTask, scores: Scores, seconds: number): string[] {
  const notices = loaded.parts.flatMap(({ split, subset, notices: own = [] }) =>
    own.map((notice) => `${subset} (${split}): ${notice}`),
  )
  if (seconds < tooFast) notices.push(`answered in ${decimals(seconds * 1e6, 0)} µs: was anything computed?`)
  for (const { split, subset } of undividedParts(loaded))
    notices.push(`${subset} (${split}): every label is the same: the score says nothing of the model`)
  if (loaded.protocol !== 'AbsTaskClassification') return notices
  for (const { split, subset, test } of loaded.parts) {
    const accuracy = scores[split]?.find(({ hf_subset: name }) => name === subset)?.['accuracy']
    const majority = majorityShare(test.labels)
    if (typeof accuracy === 'number' && Math.abs(accuracy - majority) < 1e-9)
      notices.push(
        `${subset} (${split}): the accuracy is the share of the most frequent label, ${percent(majority, { digits: 2 })}`,
      )
  }
  return notices
}

/** Parts with a single label, where mteb scores all or nothing whatever the vectors are. */
function undividedParts(loaded: LoadedTask): PartOf[] {
  const isOne = (labels: readonly unknown[]): boolean => labels.every((label) => label === labels[0])
  if (loaded.protocol === 'AbsTaskPairClassification') return loaded.parts.filter(({ labels }) => isOne(labels))
  if (loaded.protocol === 'AbsTaskClusteringLegacy') return loaded.parts.filter(({ sets }) => !sets.some(isDivided))
  if (loaded.protocol !== 'AbsTaskClustering') return []
  return loaded.parts.filter(({ labels, levels }) =>
    Array.from({ length: levels }, (_, level) => labels.flatMap((own) => own[level] ?? [])).every(isOne),
  )
}

function majorityShare(labels: readonly unknown[]): number {
  const counts = new Map<unknown, number>()
  let most = 0
  for (const label of labels) {
    const count = (counts.get(label) ?? 0) + 1
    counts.set(label, count)
    most = Math.max(most, count)
  }
  return most / Math.max(1, labels.length)
}

/** 53 bits of two FNV-1a hashes over the bits of a row; undefined for a row of zeros. */
function rowDigest({ data, width }: Matrix, row: number): number | undefined {
  const bits = new Uint32Array(data.buffer, data.byteOffset + 4 * row * width, width)
  let a = 0x811c9dc5
  let b = 0x9747b28c
  let any = 0
  for (let i = 0; i < width; i++) {
    const word = bits[i]!
    a = Math.imul(a ^ word, 0x01000193)
    b = Math.imul((b << 5) ^ (b >>> 27) ^ word, 0x85ebca6b)
    // without the sign: −0 is a zero
    any |= word << 1
  }
  return any === 0 ? undefined : (a >>> 0) * 2 ** 21 + (b >>> 11)
}
