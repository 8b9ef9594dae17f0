/**
 * server: language models behind a server with OpenAI's interface.
 *
 * In: an address, a tokenizer, requests. Out: a language model like any other; responses only after they have been
 * checked.
 * Never: a weight, a key in a message, a score that the server did not return.
 */
export { openServer, type ServerOptions } from './open.ts'
export { type ServerKind, serverKinds } from './kinds.ts'
