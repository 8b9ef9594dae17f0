/**
 * The order in which files run: those with a process of their own, then the others, each the longest first, so that two
 * workers end together.
 */
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const test = import.meta.dirname
/** Seconds of the files that take longest, as measured; a file that is not named is short. */
const seconds = JSON.parse(readFileSync(join(test, 'seconds.json'), 'utf8')) as Readonly<Record<string, number>>

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const length = ({ moduleId }: TestSpecification): number => seconds[relative(test, moduleId)] ?? 0
    const isShared = ({ project }: TestSpecification): number => (project.config.isolate ? 0 : 1)
    return files.toSorted(
      (a, b) => isShared(a) - isShared(b) || length(b) - length(a) || (a.moduleId < b.moduleId ? -1 : 1),
    )
  }
}
