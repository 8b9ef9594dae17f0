/** A row of numbers as a picture of one line: `▁▃▅█▆`, from the smallest to the largest. */

const blocks = '▁▂▃▄▅▆▇█'

/** A missing number is blank; equal numbers have half the height. */
export function sparkline(values: readonly (number | undefined)[]): string {
  const known = values.filter((value) => value !== undefined && Number.isFinite(value)) as number[]
  const [low, high] = [Math.min(...known), Math.max(...known)]
  return values
    .map((value) =>
      value === undefined || !Number.isFinite(value) ? ' ' : block(high > low ? (value - low) / (high - low) : 0.5),
    )
    .join('')
}

function block(share: number): string {
  return blocks[Math.min(blocks.length - 1, Math.floor(share * blocks.length))] ?? ''
}
