/** Where the compiled worker lies: beside this file once built; below `dist` when the sources run as they are (Node 20 starts no `.ts` thread). */
export function workerUrl(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? '../../dist/merge/worker.js' : './worker.js', import.meta.url)
}
