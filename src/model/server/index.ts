/**
 * server: language models that a server runs, asked as OpenAI's interface has it.
 *
 * In: an address, a tokenizer, questions. Out: a language model like any other; its answers only after they have been
 * checked.
 * Never: a weight, a key in a message, a score that the server did not give.
 */
export { openServer, type ServerOptions } from './open.ts'
export { type ServerKind, serverKinds } from './kinds.ts'
