/**
 * Sums over the numbers of rows in WebAssembly, four rows at once, two a vector. Each row is added up alone from its
 * first term to its last, so the bits are those of the plain loops.
 */
import type { Matrix } from '#core'
import {
  code,
  type Code,
  doWhile,
  f32x4,
  f64x2,
  func,
  i32,
  i32x4,
  local,
  type Local,
  loop,
  sizedKernel,
  v128,
} from '#platform/wasm'

/** Rows of a group. */
const side = 4
/** Numbers of each matrix that are copied at once, where four rows are no more: 32 KiB stay in the cache. */
const blockNumbers = 2 ** 13
/** Rows of a block at most: none is narrower than a vector. */
const blockRows = blockNumbers / 4
/** Before the numbers: two sums of each row, and what each row of both matrices is divided by. */
const sumsAt = [0, 8 * blockRows] as const
const scalesAt = [16 * blockRows, 20 * blockRows] as const
const numbersAt = 24 * blockRows

type Declare = (type?: 'i32' | 'f64' | 'v128') => Local
/** Four float32 of a row. */
type Values = (row: number) => Code
/** What one of the two sums takes of two rows' float64. */
type Term = (value: Local) => Code
const square: Term = (value) => f64x2.mul(value, value)
const itself: Term = (value) => value

/** Four rows of a matrix: their addresses, and how to load from them. */
interface Rows {
  readonly load: (row: number) => Code
  readonly store: (row: number, value: Code) => Code
  /** Sets the addresses of the others by the first. */
  readonly begin: Code
  /** The first row of the next group. */
  readonly next: Code
}

function rowsFrom(declare: Declare, { first, bytes, at }: { first: Local; bytes: Local; at: Local }): Rows {
  const rows = [first, ...Array.from({ length: side - 1 }, () => declare('i32'))]
  return {
    load: (row) => v128.load(i32.add(rows[row]!, at)),
    store: (row, value) => v128.store(i32.add(rows[row]!, at), value),
    begin: code(...rows.slice(1).map((row, k) => local.set(row, i32.add(rows[k]!, bytes)))),
    next: local.set(first, i32.add(rows[side - 1]!, bytes)),
  }
}

/** Sums of four rows: of each of `values` those that `terms` take. */
function rowSums(declare: Declare, parts: readonly { readonly values: Values; readonly terms: readonly Term[] }[]) {
  const [first, second, both, value] = [declare(), declare(), declare(), declare()]
  const sums = parts.map(({ terms }) => terms.map(() => [declare(), declare()] as const))
  const twoColumns = (part: number, pair: 0 | 1, ...lanes: readonly number[]): Code => {
    const added = parts[part]!.terms.map((term, k) => {
      const sum = sums[part]![k]![pair]
      return local.set(sum, f64x2.add(sum, term(value)))
    })
    return code(
      local.set(both, i32x4.shuffle(first, second, ...lanes)),
      local.set(value, f64x2.promote_low_f32x4(both)),
      ...added,
      local.set(value, f64x2.promote_low_f32x4(i32x4.shuffle(both, both, 2, 3, 2, 3))),
      ...added,
    )
  }
  const ofPair = (pair: 0 | 1): Code =>
    code(
      ...parts.map(({ values }, part) =>
        code(
          local.set(first, values(2 * pair)),
          local.set(second, values(2 * pair + 1)),
          twoColumns(part, pair, 0, 4, 1, 5),
          twoColumns(part, pair, 2, 6, 3, 7),
        ),
      ),
    )
  return {
    /** Adds four columns. */
    add: code(ofPair(0), ofPair(1)),
    /** Writes the sums to the places of rows, 8 bytes each, and begins anew. */
    end: (places: Local): Code =>
      code(
        ...sums
          .flat()
          .map((pair, k) =>
            code(
              ...pair.map((sum, half) =>
                code(v128.store(places, sum, sumsAt[k]! + 16 * half), local.set(sum, i32x4.all(0))),
              ),
            ),
          ),
      ),
  }
}

/** `body` for every four columns of every four rows; `end` is the place behind the last row. */
function overGroups(
  { places, end, at, bytes }: Readonly<Record<'places' | 'end' | 'at' | 'bytes', Local>>,
  group: { readonly begin: Code; readonly body: Code; readonly end: Code },
): Code {
  return doWhile(
    i32.lt_u(local.tee(places, i32.add(places, i32.const(8 * side))), end),
    group.begin,
    local.set(at, i32.const(0)),
    loop(at, 16, bytes, group.body),
    group.end,
  )
}

// all take: bytes of a row, bytes of all rows' sums, where the rows begin
const workspace = sizedKernel(() => {
  const divisors = (declare: Declare, places: Local, matrix: 0 | 1) => {
    const scales = Array.from({ length: side }, () => declare())
    return {
      scales,
      begin: code(
        ...scales.map((scale, k) =>
          local.set(scale, v128.load32_splat(i32.shr_u(places, i32.const(1)), scalesAt[matrix] + 4 * k)),
        ),
      ),
    }
  }
  /** A function of both matrices. */
  const ofPairs = (value: (a: Code, b: Code) => Code, ...terms: readonly Term[]) =>
    func(['i32', 'i32', 'i32', 'i32'], (declare, [bytes, end, firstA, firstB]) => {
      const [places, at] = [declare('i32'), declare('i32')]
      const [a, b] = [firstA, firstB].map((first) => rowsFrom(declare, { first, bytes, at })) as [Rows, Rows]
      const { add, end: write } = rowSums(declare, [{ values: (row) => value(a.load(row), b.load(row)), terms }])
      return overGroups(
        { places, end, at, bytes },
        { begin: code(a.begin, b.begin), body: add, end: code(write(places), a.next, b.next) },
      )
    })
  return {
    /** Σ x² */
    squares: func(['i32', 'i32', 'i32'], (declare, [bytes, end, first]) => {
      const [places, at] = [declare('i32'), declare('i32')]
      const { load, begin, next } = rowsFrom(declare, { first, bytes, at })
      const { add, end: write } = rowSums(declare, [{ values: load, terms: [square] }])
      return overGroups({ places, end, at, bytes }, { begin, body: add, end: code(write(places), next) })
    }),
    /** Σ a · b */
    products: ofPairs(f32x4.mul, itself),
    /** Σ |a − b|, Σ (a − b)² */
    distances: ofPairs(f32x4.sub, f64x2.abs, square),
    /** Σ (a / s − b / t)², Σ (a / s) · (b / t) */
    quotients: func(['i32', 'i32', 'i32', 'i32'], (declare, [bytes, end, firstA, firstB]) => {
      const [places, at] = [declare('i32'), declare('i32')]
      const [a, b] = [firstA, firstB].map((first) => rowsFrom(declare, { first, bytes, at })) as [Rows, Rows]
      const [s, t] = [divisors(declare, places, 0), divisors(declare, places, 1)]
      const quotients = Array.from({ length: side }, () => [declare(), declare()] as const)
      const difference: Values = (row) => {
        const [x, y] = quotients[row]!
        return code(
          local.set(x, f32x4.div(a.load(row), s.scales[row]!)),
          local.set(y, f32x4.div(b.load(row), t.scales[row]!)),
          f32x4.sub(x, y),
        )
      }
      const { add, end: write } = rowSums(declare, [
        { values: difference, terms: [square] },
        { values: (row) => f32x4.mul(...quotients[row]!), terms: [itself] },
      ])
      return overGroups(
        { places, end, at, bytes },
        { begin: code(a.begin, b.begin, s.begin, t.begin), body: add, end: code(write(places), a.next, b.next) },
      )
    }),
    /** x ← x / s */
    divide: func(['i32', 'i32', 'i32'], (declare, [bytes, end, first]) => {
      const [places, at] = [declare('i32'), declare('i32')]
      const { load, store, begin, next } = rowsFrom(declare, { first, bytes, at })
      const { scales, begin: setScales } = divisors(declare, places, 0)
      return overGroups(
        { places, end, at, bytes },
        {
          begin: code(begin, setScales),
          body: code(...scales.map((scale, row) => store(row, f32x4.div(load(row), scale)))),
          end: next,
        },
      )
    }),
  }
})

/**
 * Rows of one matrix or of two in the kernel's memory. The arrays have an element for each row, and some more; the next
 * sums are written over the last ones.
 */
export interface RowBlock {
  /** Σ x² of the first matrix or the second. */
  squares(matrix: 0 | 1): Float64Array
  /** Σ f32(a · b) */
  products(): Float64Array
  /** Σ |f32(a − b)| and Σ f32(a − b)² */
  distances(): readonly [absolute: Float64Array, squares: Float64Array]
  /** Σ f32(f32(a / s) − f32(b / t))² and Σ f32(f32(a / s) · f32(b / t)), by `scales`. */
  quotients(): readonly [squares: Float64Array, products: Float64Array]
  /** a ← f32(a / s), by the first of `scales`. */
  divide(): void
  /** Divisors of the rows of the first matrix and of the second; none is 0. */
  readonly scales: readonly [Float32Array, Float32Array]
}

/**
 * `visit` of blocks of `rows` rows each, from row `from` on, of matrices of one shape.
 * @param into takes the first matrix as the visits leave it
 */
export function eachRowBlock(
  matrices: readonly [Matrix] | readonly [Matrix, Matrix],
  visit: (block: RowBlock, from: number, rows: number) => void,
  into?: Float32Array,
): void {
  const [{ rows, width }] = matrices
  // what fills up a row is 0, and so are its terms
  const stride = Math.max(1, Math.ceil(width / 4)) * 4
  const most = side * Math.min(Math.ceil(rows / side), Math.max(1, Math.floor(blockNumbers / (side * stride))))
  const bytes = 4 * stride
  const starts = [numbersAt, numbersAt + bytes * most] as const
  const { release, memory, ...run } = workspace(numbersAt + matrices.length * bytes * most)
  const numbers = matrices.map((_, k) => new Float32Array(memory, starts[k], most * stride))
  const sums = sumsAt.map((at) => new Float64Array(memory, at, most)) as [Float64Array, Float64Array]
  let end = 0
  const block: RowBlock = {
    scales: scalesAt.map((at) => new Float32Array(memory, at, most)) as [Float32Array, Float32Array],
    squares(matrix) {
      run.squares(bytes, end, starts[matrix])
      return sums[0]
    },
    products() {
      run.products(bytes, end, ...starts)
      return sums[0]
    },
    distances() {
      run.distances(bytes, end, ...starts)
      return sums
    },
    quotients() {
      run.quotients(bytes, end, ...starts)
      return sums
    },
    divide: () => run.divide(bytes, end, starts[0]),
  }
  for (let from = 0; from < rows; from += most) {
    const count = Math.min(most, rows - from)
    end = 8 * Math.ceil(count / side) * side
    matrices.forEach(({ data }, k) =>
      put({ rows: count, width, data: data.subarray(from * width) }, numbers[k]!, stride),
    )
    visit(block, from, count)
    if (into !== undefined) take(numbers[0]!, stride, { rows: count, width, data: into.subarray(from * width) })
  }
  release()
}

function put({ rows, width, data }: Matrix, block: Float32Array, stride: number): void {
  if (width === stride) block.set(data.subarray(0, rows * width))
  else
    for (let row = 0; row < rows; row++) {
      block.set(data.subarray(row * width, (row + 1) * width), row * stride)
      block.fill(0, row * stride + width, (row + 1) * stride)
    }
}

function take(block: Float32Array, stride: number, { rows, width, data }: Matrix): void {
  if (width === stride) data.set(block.subarray(0, rows * width))
  else for (let row = 0; row < rows; row++) data.set(block.subarray(row * stride, row * stride + width), row * width)
}
