/**
 * store: the vectors of texts on disk, found again by content.
 *
 * In: texts and one row per slot (a hidden state) of each. Out: the rows of one slot.
 * Never: a model, a token, a network, a file outside its folder; never a row whose bytes are not those that were stored.
 */
export { defaultLimitBytes, openStore, type SpaceUsage, type StoreUsage, type VectorStore } from './store.ts'
export type { Slot } from './block.ts'
export type { Trimmed } from './evict.ts'
export type { VectorSpace } from './space.ts'
