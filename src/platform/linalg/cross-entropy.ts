/** The loss of softmax regressions and its derivatives by the scores, in plain loops. */
export interface CrossEntropy {
  /** [rows × classes] */
  readonly scores: Float64Array
  /** [classes × rows] */
  readonly residuals: Float64Array
  /**
   * Sum of the rows' −log softmax(scores)[label]; its derivatives by the scores, divided by the rows, go to
   * `residuals`.
   */
  readonly loss: (labels: ArrayLike<number>) => number
  /** Ends the use of both arrays. */
  readonly release: () => void
}

export function crossEntropyPlain(rows: number, classes: number, exp = Math.exp): CrossEntropy {
  const [scores, residuals, powers] = [
    new Float64Array(rows * classes),
    new Float64Array(rows * classes),
    new Float64Array(classes),
  ]
  return {
    scores,
    residuals,
    loss(labels) {
      let loss = 0
      for (let i = 0; i < rows; i++) {
        const at = i * classes
        let top = scores[at]!
        for (let k = 1; k < classes; k++) if (scores[at + k]! > top) top = scores[at + k]!
        let sum = 0
        for (let k = 0; k < classes; k++) sum += powers[k] = exp(scores[at + k]! - top)
        loss += Math.log(sum) + top - scores[at + labels[i]!]!
        for (let k = 0; k < classes; k++)
          residuals[k * rows + i] = (powers[k]! / sum - (k === labels[i] ? 1 : 0)) / rows
      }
      return loss
    },
    release: () => undefined,
  }
}
