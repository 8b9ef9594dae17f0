/**
 * server: language models and vectors behind a server with OpenAI's interface, or that of text-embeddings-inference.
 *
 * In: an address, a tokenizer, requests, texts. Out: a language model like any other, vectors of texts; responses only
 * after they have been checked.
 * Never: a weight, a key in a message, a score that the server did not return.
 */
export { openServer, type ServerOptions } from './open.ts'
export { type EmbeddingOptions, type EmbeddingServer, openEmbeddingServer } from './embeddings.ts'
export { type EmbeddingKind, embeddingKindNames, embeddingKinds, type ServerKind, serverKinds } from './kinds.ts'
export {
  parseSettings,
  readAddress,
  readCount,
  readFlag,
  readName,
  readText,
  refuseUnknown,
  type Settings,
} from './settings.ts'
