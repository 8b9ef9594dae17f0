/** A store of layer vectors for models opened without one: it lives as long as the model. */
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, type VectorStore } from './store.ts'

/** The given store, which outlives the model, or one of its own. */
export function storeFor(given: VectorStore | undefined): { store: VectorStore; close: () => Promise<void> } {
  if (given !== undefined) return { store: given, close: () => Promise.resolve() }
  const folder = mkdtempSync(join(tmpdir(), 'strata-vectors-'))
  return { store: openStore(folder), close: () => rm(folder, { recursive: true, force: true }) }
}
