/** The laws of the program are tried whole at night, `STRATA_NIGHTLY=1 npm test`, and by a sample otherwise. */

export const nightly = process.env['STRATA_NIGHTLY'] === '1'

/** Every third, the first among them; at night all. */
export function sampled<T>(all: readonly T[]): T[] {
  return all.filter((_, at) => nightly || at % 3 === 0)
}
