// docs/speed.svg: how the cost of vectors grows, from bench/results/growth.json. Four curves on two logarithmic axes each, so that a straight line of slope 1 is "twice as much, twice as long".
import { existsSync, readFileSync } from 'node:fs'
import { renderPicture } from '../dist/result/pictures/index.js'

const axes = { texts: 'texts', length: 'tokens per text', width: 'width', layers: 'layers' }
const steps = [1, 2, 5]

/** The picture as SVG text; undefined without a measurement. */
export async function growthPicture() {
  const path = 'bench/results/growth.json'
  if (!existsSync(path)) return undefined
  const { curves } = JSON.parse(readFileSync(path, 'utf8'))
  const panel = (/** @type {keyof typeof axes} */ of) => {
    const values = curves
      .filter((/** @type {any} */ curve) => curve.of === of)
      .flatMap((/** @type {any} */ { model, points }) =>
        points.map((/** @type {any} */ { x, seconds, tokens }) => ({
          model,
          x,
          y: tokens === undefined ? seconds : (1e6 * seconds) / tokens,
        })),
      )
    const axis = (/** @type {'x' | 'y'} */ field, /** @type {string} */ title) => ({
      field,
      type: /** @type {const} */ ('quantitative'),
      title,
      scale: {
        type: /** @type {const} */ ('log'),
        domain: roundDomain(values.map((/** @type {any} */ point) => point[field])),
      },
      axis: { values: marks, grid: true, format: '~s', labelOverlap: /** @type {const} */ ('greedy') },
    })
    return {
      width: 320,
      height: 200,
      data: { values },
      mark: { type: /** @type {const} */ ('line'), point: true },
      encoding: {
        x: axis('x', axes[of]),
        y: axis('y', of === 'texts' ? 'seconds, whole process' : 'µs per token'),
        color: {
          field: 'model',
          type: /** @type {const} */ ('nominal'),
          legend: { title: null, orient: /** @type {const} */ ('top'), columns: 1 },
        },
      },
    }
  }
  const picture = {
    columns: 2,
    spacing: 28,
    concat: /** @type {(keyof typeof axes)[]} */ (Object.keys(axes)).map(panel),
    resolve: { scale: { color: /** @type {const} */ ('independent') } },
  }
  return Buffer.from(await renderPicture(picture, { format: 'svg' })).toString()
}

/** 1, 2, 5, 10, 20, …: where an axis may begin, end and be labelled. */
const marks = Array.from({ length: 10 }, (_, power) => steps.map((step) => step * 10 ** power)).flat()

/** The marks next below and above the values. */
function roundDomain(/** @type {number[]} */ values) {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return [marks.findLast((mark) => mark <= low) ?? low, marks.find((mark) => mark >= high) ?? high]
}
