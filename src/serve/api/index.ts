/**
 * api: opened models behind one address – OpenAI's interface and that of text-embeddings-inference, all representations
 * of a model from shared passes.
 *
 * In: opened models, requests. Out: vectors, labels, scores, texts; counts for those who watch.
 * Never: a file that a request names, a key in a message, a result.
 */
export { planServer, type ServeOptions, type ServerPlan, serveUntil } from './serve-until.ts'
