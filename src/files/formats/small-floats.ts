/**
 * Floats of 8 and 16 bits, bit pattern by bit pattern. IEEE 754 for F16, BF16 and F8_E5M2;
 * F8_E4M3 is the finite "fn" form of Micikevicius et al. 2022 (https://arxiv.org/abs/2209.05433): no infinity, one NaN
 * a sign, largest 448.
 */
export type SmallFloat = 'F16' | 'BF16' | 'F8_E4M3' | 'F8_E5M2'

interface Layout {
  /** Bits of the exponent field and of the fraction; the sign is one more. */
  exponent: number
  fraction: number
  /** The highest exponent means infinity and NaN. */
  infinite: boolean
}

const layouts: Record<SmallFloat, Layout> = {
  F16: { exponent: 5, fraction: 10, infinite: true },
  BF16: { exponent: 8, fraction: 7, infinite: true },
  F8_E4M3: { exponent: 4, fraction: 3, infinite: false },
  F8_E5M2: { exponent: 5, fraction: 2, infinite: true },
}

export function isSmallFloat(dtype: string): dtype is SmallFloat {
  return Object.hasOwn(layouts, dtype)
}

const tables = new Map<SmallFloat, Uint32Array>()

/** Float32 bits of every code: 65,536 or 256 entries, made on first use. */
export function decodeTable(kind: SmallFloat): Uint32Array {
  const before = tables.get(kind)
  if (before) return before
  const { exponent, fraction } = layouts[kind]
  const table = Uint32Array.from({ length: 2 ** (1 + exponent + fraction) }, (_, code) => decode(code, layouts[kind]))
  tables.set(kind, table)
  return table
}

function decode(code: number, { exponent, fraction, infinite }: Layout): number {
  const sign = (code >>> (exponent + fraction)) * 2 ** 31
  const magnitude = code & (2 ** (exponent + fraction) - 1)
  const [power, rest] = [magnitude >>> fraction, magnitude & (2 ** fraction - 1)]
  if (infinite && power === 2 ** exponent - 1) return sign + F32_INFINITY + rest * 2 ** (23 - fraction)
  if (!infinite && magnitude === 2 ** (exponent + fraction) - 1) return sign + F32_QUIET_NAN
  const bias = 2 ** (exponent - 1) - 1
  // All are multiples of the smallest subnormal, exact in float32.
  const unit = 2 ** (Math.max(power, 1) - bias - fraction)
  scratch[0] = (power === 0 ? rest : rest + 2 ** fraction) * unit
  return sign + scratchBits[0]!
}

/**
 * The encoder of a kind: float32 bits → nearest code, ties to even, overflow to infinity (F8_E4M3: to NaN, as torch's
 * cast).
 */
export function encoder(kind: SmallFloat): (bits: number) => number {
  const { exponent, fraction, infinite } = layouts[kind]
  const bias = 2 ** (exponent - 1) - 1
  const signShift = 31 - exponent - fraction
  const shift = 23 - fraction
  const signMask = 2 ** (exponent + fraction)
  const infinity = (2 ** exponent - 1) * 2 ** fraction
  const largest = infinite ? infinity : signMask - 1
  const rebias = (127 - bias) * 2 ** fraction
  const smallestNormal = (127 - bias + 1) * 2 ** 23
  return (bits) => {
    const sign = (bits >>> signShift) & signMask
    const magnitude = bits & 0x7fffffff
    if (magnitude > F32_INFINITY) {
      // The payload's upper bits stay; a NaN must not turn into infinity when they are zero.
      return sign | (infinite ? infinity | ((magnitude & 0x7fffff) >>> shift || 2 ** (fraction - 1)) : largest)
    }
    if (magnitude < smallestNormal && bias < 127) {
      const down = shift + 127 - bias + 1 - (magnitude >>> 23)
      return magnitude < 0x800000 || down > 24 ? sign : sign | roundShift((magnitude & 0x7fffff) | 0x800000, down)
    }
    return sign | Math.min(largest, roundShift(magnitude, shift) - rebias)
  }
}

/** value / 2^shift, ties to even. */
function roundShift(value: number, shift: number): number {
  return (value + ((1 << (shift - 1)) - 1) + ((value >>> shift) & 1)) >>> shift
}

const F32_INFINITY = 0x7f800000
const F32_QUIET_NAN = 0x7fc00000
const scratch = new Float32Array(1)
const scratchBits = new Uint32Array(scratch.buffer)
