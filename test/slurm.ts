/** The Slurm of a test file; tests without one are skipped, and counted. */
import { afterAll } from 'vitest'
import { type Cluster, startSlurm } from './slurm-cluster.ts'

export { hasSlurm } from './slurm-cluster.ts'

/** Started at the first call, stopped at the end of the test file. */
export function slurm(): () => Promise<Cluster> {
  let started: Promise<Cluster> | undefined
  afterAll(async () => (await started?.catch(() => undefined))?.stop())
  return () => (started ??= startSlurm())
}
