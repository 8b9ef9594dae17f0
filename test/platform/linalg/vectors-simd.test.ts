import { vectorSpace } from '../../../src/platform/linalg/vectors-simd.ts'
import { type Draw, sameBits } from '../wasm/same-bits.ts'

function spaceOf({ size, doubles }: Draw) {
  const space = vectorSpace(size, 4)
  ;['a', 'b', 'c', 'd'].forEach((name, k) => space.vectors[k]!.set(doubles(name)))
  const [a, b, c, d] = space.vectors as [Float64Array, Float64Array, Float64Array, Float64Array]
  return {
    space,
    a,
    b,
    c,
    d,
    plain: [a, b, c, d].map((vector) => vector.slice()) as [Float64Array, Float64Array, Float64Array, Float64Array],
  }
}

/** Four sums side by side, the elements behind the last four in the first. */
function dot(a: Float64Array, b: Float64Array): number[] {
  const sums = [0, 0, 0, 0]
  const even = a.length - (a.length % 4)
  a.forEach((value, i) => (sums[i < even ? i % 4 : 0]! += value * b[i]!))
  return [sums[0]! + sums[1]! + (sums[2]! + sums[3]!)]
}

const by = -0.7

sameBits(
  'platform/linalg/vectors-simd.ts',
  { lanes: 4, chunk: 64 },
  {
    dot: (draw) => {
      const { space, a, b, plain } = spaceOf(draw)
      return { kernel: [[space.dot(a, b)]], loop: [dot(plain[0], plain[1])] }
    },
    largest: (draw) => {
      const { space, a, plain } = spaceOf(draw)
      return { kernel: [[space.largest(a)]], loop: [[Math.max(0, ...plain[0].map(Math.abs))]] }
    },
    negate: (draw) => {
      const { space, a, b, c, plain } = spaceOf(draw)
      const target = plain[1].map((value) => -value)
      return {
        kernel: { product: [space.negate(a, b, c)], a, b, c },
        loop: { product: dot(plain[2], target), a: target, b: plain[1], c: plain[2] },
      }
    },
    'add, by a number': (draw) => {
      const { space, a, b, c, d, plain } = spaceOf(draw)
      const target = plain[0].map((value, i) => (value + plain[1][i]! * by) * 1.3)
      return {
        kernel: { product: [space.add(a, b, by, 1.3, c)], a, b, c, d },
        loop: { product: dot(plain[2], target), a: target, b: plain[1], c: plain[2], d: plain[3] },
      }
    },
    'add, by infinity and to itself': (draw) => {
      const { space, a, b, plain } = spaceOf(draw)
      const target = plain[0].map((value, i) => value + plain[1][i]! * Infinity)
      return {
        kernel: { product: [space.add(a, b, Infinity, 1, a)], a },
        loop: { product: dot(target, plain[0]).map(() => dot(target, target)[0]!), a: target },
      }
    },
    walk: (draw) => {
      const { space, a, b, c, d, plain } = spaceOf(draw)
      space.walk(a, b, c, by)
      return {
        kernel: { a, b, c, d },
        loop: { a: plain[1].map((value, i) => value + by * plain[2][i]!), b: plain[1], c: plain[2], d: plain[3] },
      }
    },
    scale: (draw) => {
      const { space, a, b, c, plain } = spaceOf(draw)
      space.scale(a, b, by)
      return { kernel: { a, b, c }, loop: { a: plain[1].map((value) => value * by), b: plain[1], c: plain[2] } }
    },
    subtract: (draw) => {
      const { space, a, b, c, d, plain } = spaceOf(draw)
      const target = plain[1].map((value, i) => value - plain[2][i]!)
      return {
        kernel: { squares: [space.subtract(a, b, c)], a, d },
        loop: { squares: dot(target, target), a: target, d: plain[3] },
      }
    },
  },
)
