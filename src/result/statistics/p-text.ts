/** A p-value for people: three decimals, and never 0, which no number of draws can show. */
export function pText(p: number): string {
  return p < 0.001 ? '< 0.001' : p.toFixed(3)
}

/** In a sentence: `p = 0.031`, `p < 0.001`. */
export function pSaid(p: number): string {
  return `p ${p < 0.001 ? '' : '= '}${pText(p)}`
}
