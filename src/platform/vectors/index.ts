/**
 * vectors: a store of matrices by content – spaces of rows under keys, in blocks on disk that several processes share.
 *
 * In: the description of a space, keys of texts, one row per slot (a hidden state) of each. Out: the rows of one slot;
 * the missing keys.
 * Never: the origin of a vector, a file outside its folder, a row whose bytes are not those that were stored.
 */
export type { Slot } from './block.ts'
export { keyCount, keyTable, rememberedKeys, textKeys, type TextKeys } from './keys.ts'
export type { VectorSpace } from './space.ts'
export { openStore, type VectorStore } from './store.ts'
export { storeFor } from './temporary-store.ts'
