/** Sums over texts of squared gradients, by parameter. A text's gradient is summed over its tokens before it is squared. */
import type { Matrix64 } from '#core'
import { addOuterSquares, type TokenFactors } from './outer-squares.ts'
import type { Parameter } from './parameters.ts'

export interface SquareSums {
  /** For weights: outer products of gradients and inputs. */
  addOuter(weight: Parameter, factors: TokenFactors): void
  /** For biases: the gradients themselves. */
  addRows(bias: Parameter, gradient: Matrix64, starts: Int32Array): void
  /** For a table of which each token takes the row `rows[token]`. */
  addTable(
    table: Parameter,
    gradient: Matrix64,
    places: { readonly rows: Int32Array; readonly starts: Int32Array },
  ): void
  /** Each sum over `texts`, by the name of its tensor. */
  means(texts: number): Map<string, Float32Array>
}

export function openSquareSums(): SquareSums {
  const sums = new Map<string, Float64Array>()
  const sumsFor = ({ name, data }: Parameter): Float64Array => {
    const known = sums.get(name) ?? new Float64Array(data.length)
    sums.set(name, known)
    return known
  }
  return {
    addOuter: (weight, factors) => addOuterSquares(sumsFor(weight), factors),
    addRows(bias, gradient, starts) {
      const into = sumsFor(bias)
      const total = new Float64Array(gradient.width)
      for (let text = 0; text + 1 < starts.length; text++) {
        total.fill(0)
        for (let r = starts[text]!; r < starts[text + 1]!; r++) addRow(total, gradient, r)
        addSquares(into, 0, total)
      }
    },
    addTable(table, gradient, { rows, starts }) {
      const into = sumsFor(table)
      const { width } = gradient
      for (let text = 0; text + 1 < starts.length; text++) {
        const byRow = new Map<number, Float64Array>()
        for (let r = starts[text]!; r < starts[text + 1]!; r++) {
          const total = byRow.get(rows[r]!) ?? new Float64Array(width)
          byRow.set(rows[r]!, total)
          addRow(total, gradient, r)
        }
        for (const [row, total] of byRow) addSquares(into, row * width, total)
      }
    },
    means: (texts) => new Map([...sums].map(([name, sum]) => [name, Float32Array.from(sum, (value) => value / texts)])),
  }
}

function addRow(total: Float64Array, { width, data }: Matrix64, r: number): void {
  for (let k = 0; k < width; k++) total[k] = total[k]! + data[r * width + k]!
}

function addSquares(into: Float64Array, at: number, values: Float64Array): void {
  for (let k = 0; k < values.length; k++) into[at + k] = into[at + k]! + values[k]! ** 2
}
