/** Flags of `strata run`. */
export { type Flags, flags } from '../../experiment/flags.ts'
