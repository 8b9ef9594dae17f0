// Writes `passed failed skipped` to $STRATA_COUNTS when a test run ends, for scripts/check.mjs.
import { writeFileSync } from 'node:fs'

export default class CountsReporter {
  onTestRunEnd(modules, errors) {
    let [passed, failed, skipped] = [0, errors.length, 0]
    for (const module of modules) {
      if (module.errors().length > 0) failed++
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed++
        else if (state === 'failed') failed++
        else skipped++
      }
    }
    if (process.env.STRATA_COUNTS) writeFileSync(process.env.STRATA_COUNTS, `${passed} ${failed} ${skipped}`)
  }
}
