/** Rounds to six decimals as Python's `round(x, 6)` does: from the exact binary value, with ties to the even digit. */

export function roundScore(value: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e15) return value
  // toFixed also works on the exact value, but rounds ties up. A tie is (2n + 1) / 2·10^6, which is a binary number
  // only as an odd multiple of 1/128.
  const halves = value * 128
  if (!Number.isInteger(halves) || halves % 2 === 0) return Number(value.toFixed(6))
  const scaled = BigInt(Math.abs(halves)) * 15_625n // twice the number of millionths, exactly
  const floor = scaled / 2n
  const even = floor % 2n === 0n ? floor : floor + 1n
  return Math.sign(value) * Number(`${even}e-6`)
}
