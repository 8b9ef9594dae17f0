/** The price of a machine, for the price of texts. */
import type { Flag } from '../spec/flag.ts'
import { aboveZero } from '../spec/parsers.ts'

export const pricePerHour = {
  flags: '--price-per-hour <price>',
  help: 'price of this machine per hour: adds the price of a million texts',
  parse: aboveZero('--price-per-hour'),
} as const satisfies Flag
