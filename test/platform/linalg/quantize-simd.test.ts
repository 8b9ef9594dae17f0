import { matrix } from '#core'
import { narrow, widen } from '#files/formats'
import {
  extendRanges,
  extendRangesPlain,
  toFloat16,
  toSigns,
  toSteps,
  toStepsPlain,
} from '../../../src/platform/linalg/quantize-simd.ts'
import { type Draw, sameBits } from '../wasm/same-bits.ts'

/** Rows of a width, as many as the size allows, and a number for every place. */
const inRows =
  (width: number) =>
  ({ size, floats }: Draw) => {
    const rows = Math.floor(size / width)
    const places = floats('places')
    const fill = (first: number): Float32Array =>
      Float32Array.from({ length: width }, (_, at) => places[first + at] ?? 1)
    return { vectors: matrix(rows, width, floats('vectors').subarray(0, rows * width)), fill }
  }

/** Ties between two float16, the last number that is finite there and the first that is not. */
const edges = Float32Array.of(1 + 2 ** -11, 1 + 3 * 2 ** -11, 65519, 65520, -65520, 2 ** -25, 3 * 2 ** -25)

sameBits(
  'platform/linalg/quantize-simd.ts',
  { lanes: 4, chunk: 2 ** 13 },
  {
    toFloat16: ({ floats }) => ({
      kernel: [toFloat16(edges), toFloat16(floats('x')), toFloat16(floats('x').map((x) => 2 ** 20 * x))],
      loop: [edges, floats('x'), floats('x').map((x) => 2 ** 20 * x)].map((x) => widen(narrow(x, 'F16'), 'F16')),
    }),
    toSigns: ({ floats }) => ({
      kernel: [toSigns(floats('x'))],
      loop: [floats('x').map((x) => (Number.isFinite(x) ? Number(x > 0) : NaN))],
    }),
    ...Object.fromEntries(
      [4, 384].flatMap((width) => [
        [
          `toSteps, width ${width}`,
          (draw: Draw) => {
            const { vectors, fill } = inRows(width)(draw)
            const given = [0, 128].map((below) => {
              // a step of a real range is not negative
              const steps = fill(width).map((step) => Math.abs(step) / 255)
              return { starts: fill(0), steps, below }
            })
            return {
              kernel: given.map((scale) => toSteps(vectors, scale)),
              loop: given.map((scale) => toStepsPlain(vectors, scale)),
            }
          },
        ],
        [
          `extendRanges, width ${width}`,
          (draw: Draw) => {
            const { vectors, fill } = inRows(width)(draw)
            const make = () => ({ starts: fill(0), ends: fill(width) })
            const [kernel, loop] = [make(), make()]
            extendRanges(kernel, vectors)
            extendRangesPlain(loop, vectors)
            return { kernel, loop }
          },
        ],
      ]),
    ),
  },
)
