/**
 * Scores of predicted sets of labels, as scikit-learn and mteb's `hamming_score` define them. Sets are rows of zeros
 * and ones.
 */

/** Row-major, [rows × labels]. */
export interface LabelTable {
  readonly rows: number
  readonly labels: number
  readonly data: Uint8Array
}

export interface MultilabelScores {
  /** Rows whose labels are all right. */
  readonly accuracy: number
  /**
   * Label-ranking average precision of the predictions themselves, in which predicted labels share the first place and
   * the others the last.
   */
  readonly lrap: number
  /** Macro F1 over all labels; one that nobody has or gets counts 0. */
  readonly f1: number
  /** Mean of intersection over union; 1 where both are empty. */
  readonly hamming: number
}

export function multilabelScores(truth: LabelTable, predicted: LabelTable): MultilabelScores {
  const { rows, labels } = truth
  const [hits, support, claims] = [new Float64Array(labels), new Float64Array(labels), new Float64Array(labels)]
  let [exact, ranking, overlap] = [0, 0, 0]
  for (let i = 0; i < rows; i++) {
    let [own, found, both] = [0, 0, 0]
    for (let k = 0; k < labels; k++) {
      const [is, says] = [truth.data[i * labels + k]!, predicted.data[i * labels + k]!]
      own += is
      found += says
      both += is & says
      support[k]! += is
      claims[k]! += says
      hits[k]! += is & says
    }
    const union = own + found - both
    if (union === both) exact++
    overlap += union === 0 ? 1 : both / union
    ranking += rankingPrecision(own, found, both, labels)
  }
  let f1 = 0
  for (let k = 0; k < labels; k++) {
    const weight = support[k]! + claims[k]!
    f1 += weight === 0 ? 0 : (2 * hits[k]!) / weight
  }
  return { accuracy: exact / rows, lrap: ranking / rows, f1: f1 / labels, hamming: overlap / rows }
}

/**
 * A true label that is predicted ranks behind all predicted ones, another behind all labels (ties take the lowest
 * place). 1 when there is nothing to rank.
 */
function rankingPrecision(own: number, found: number, both: number, labels: number): number {
  if (own === 0 || own === labels) return 1
  const hit = both === 0 ? 0 : both * (both / found)
  return (hit + (own - both) * (own / labels)) / own
}
