// docs/low-states.svg: seconds of `strata encode --layers hK` by K, from bench/results/low-states.json. Both axes begin at zero, so that a line through the origin would be seen to be one.
import { existsSync, readFileSync } from 'node:fs'
import { renderPicture } from '../dist/result/pictures/index.js'

const path = 'bench/results/low-states.json'

/** The picture as SVG text; undefined without a measurement. */
export async function lowStatesPicture() {
  if (!existsSync(path)) return undefined
  const { curves } = JSON.parse(readFileSync(path, 'utf8'))
  const panel = (/** @type {any} */ { model, points }) => ({
    width: 320,
    height: 200,
    title: model,
    data: { values: points.map((/** @type {any} */ { x, seconds }) => ({ x, seconds })) },
    mark: { type: /** @type {const} */ ('line'), point: true },
    encoding: {
      x: {
        field: 'x',
        type: /** @type {const} */ ('quantitative'),
        title: 'last state, K of hK',
        scale: { zero: true },
      },
      y: {
        field: 'seconds',
        type: /** @type {const} */ ('quantitative'),
        title: 'seconds, whole process',
        scale: { zero: true },
      },
    },
  })
  const picture = { columns: 2, spacing: 28, concat: curves.map(panel) }
  return Buffer.from(await renderPicture(picture, { format: 'svg' })).toString()
}

/** The section of docs/speed.md; empty without a measurement. */
export function lowStates() {
  if (!existsSync(path)) return ''
  const { curves, machine, loadAfter } = JSON.parse(readFileSync(path, 'utf8'))
  const rows = curves.flatMap((/** @type {any} */ { model, points }) => {
    const [first, last] = [points[0].seconds, points.at(-1).seconds]
    return points.map((/** @type {any} */ { x, seconds }) => {
      const share = x === 0 ? '' : `${((100 * (seconds - first)) / (last - first)).toFixed(0)} %`
      return `| ${model} | h${x} | ${seconds.toFixed(2)} | ${share} |`
    })
  })
  return `## States near the input

![seconds of encode by the last state that was asked](low-states.svg)

A graph ends at the last state that is asked. Whole processes of \`strata encode --layers hK\` over ${curves[0].texts.toLocaleString('en')} short utterances; h0 is the start of the
program, the tokenizer and the lookup of embeddings. Load before ${machine.loadBefore.toFixed(1)}, after ${loadAfter.toFixed(1)}.

| model | state | s | of the passes |
|---|---|---|---|
${rows.join('\n')}
`
}
