// docs/speed.svg: how the cost of vectors grows, from bench/results/growth.json. Four curves on two logarithmic axes each, so that a straight line of slope 1 is "twice as much, twice as long".
import { existsSync, readFileSync } from 'node:fs'
import { parse, View } from 'vega'
import { compile } from 'vega-lite'

const axes = { texts: 'texts', length: 'tokens of a text', width: 'width', layers: 'layers' }

/** The picture as SVG text; undefined without a measurement. */
export async function growthPicture() {
  const path = 'bench/results/growth.json'
  if (!existsSync(path)) return undefined
  const { curves } = JSON.parse(readFileSync(path, 'utf8'))
  const panel = (/** @type {keyof typeof axes} */ of) => {
    const values = curves
      .filter((/** @type {any} */ curve) => curve.of === of)
      .flatMap((/** @type {any} */ { model, points }) =>
        points.map((/** @type {any} */ { x, seconds, tokens }) => ({ model, x, y: tokens === undefined ? seconds : (1e6 * seconds) / tokens })),
      )
    return {
      width: 300,
      height: 200,
      data: { values },
      mark: { type: /** @type {const} */ ('line'), point: true },
      encoding: {
        x: { field: 'x', type: /** @type {const} */ ('quantitative'), scale: { type: /** @type {const} */ ('log') }, title: axes[of] },
        y: {
          field: 'y',
          type: /** @type {const} */ ('quantitative'),
          scale: { type: /** @type {const} */ ('log') },
          title: of === 'texts' ? 'seconds, whole process' : 'µs a token',
        },
        color: {
          field: 'model',
          type: /** @type {const} */ ('nominal'),
          // Okabe and Ito's, which colour-blind readers tell apart
          scale: { range: ['#0072B2', '#D55E00', '#009E73', '#CC79A7'] },
          legend: { title: null, orient: /** @type {const} */ ('top') },
        },
      },
    }
  }
  const { spec } = compile({
    background: 'white',
    columns: 2,
    concat: /** @type {(keyof typeof axes)[]} */ (Object.keys(axes)).map(panel),
    resolve: { scale: { color: 'independent' } },
  })
  return new View(parse(spec), { renderer: 'none' }).toSVG()
}
