/** Gives the run a folder for what its files share. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for what files of one run share; gone after it. */
    work: string
  }
}

export function setup(project: TestProject): () => void {
  const work = mkdtempSync(join(tmpdir(), 'strata-run-'))
  project.provide('work', work)
  return () => rmSync(work, { recursive: true, force: true })
}
