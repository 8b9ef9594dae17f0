/** `--tasks` among existing results. */
import { fault, suggestion } from '#core'
import { expandTasks } from '#task/registry'
import { globMatcher } from '#task/rows'

/**
 * Names and globs among the existing tasks, whoever knows them. `check` throws `usage.value` for a name that matches
 * none of them.
 */
export function tasksWanted(patterns: readonly string[] | undefined): {
  wanted: (task: string) => boolean
  check: () => void
} {
  const seen = new Set<string>()
  const matchers = patterns?.map((pattern) => {
    const own = expandTasks([pattern]).map((name) => globMatcher(name === 'all' ? '*' : name, { ignoreCase: true }))
    return { pattern, matches: (task: string) => own.some((matches) => matches(task)) }
  })
  return {
    wanted(task) {
      seen.add(task)
      return matchers === undefined || matchers.some(({ matches }) => matches(task))
    },
    check() {
      const idle = matchers?.find(({ matches }) => ![...seen].some(matches))
      if (idle !== undefined && seen.size > 0)
        throw fault('usage.value', {
          place: '--tasks',
          what: 'no result is of this task',
          seen: idle.pattern,
          hint: suggestion(idle.pattern, [...seen]),
        })
    },
  }
}
