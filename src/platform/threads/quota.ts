/** The share of the processors that the control groups of Linux leave a process: what containers are limited by. */

/** Where the groups of processors lie, in both versions of control groups. */
const roots = { unified: '/sys/fs/cgroup', cpu: '/sys/fs/cgroup/cpu' } as const

/**
 * Processors, in fractions: the least quota of the process's group and those above it; Infinity without one. `read`: the
 * text of a file, undefined where there is none.
 *
 * @example
 * ```ts
 * const files: Record<string, string> = { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '150000 100000\n' }
 * console.log(readQuota((path) => files[path])) // → 1.5
 * ```
 */
export function readQuota(read: (path: string) => string | undefined): number {
  const groups = (read('/proc/self/cgroup') ?? '').trim().split('\n')
  const quotas = groups.flatMap((line) => {
    const [id, controllers = '', ...path] = line.split(':')
    const above = foldersAbove(path.join(':'))
    if (id === '0' && controllers === '') return above.map((folder) => unifiedQuota(read, folder))
    return controllers.split(',').includes('cpu') ? above.map((folder) => firstQuota(read, folder)) : []
  })
  return Math.min(Infinity, ...quotas)
}

/** `/a/b` → `/a/b`, `/a`, and the root as ''. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/').filter(Boolean)
  return [...parts.keys(), parts.length].map((count) =>
    parts
      .slice(0, count)
      .map((part) => `/${part}`)
      .join(''),
  )
}

/** Version 2: `max 100000`, or microseconds per period. */
function unifiedQuota(read: (path: string) => string | undefined, folder: string): number {
  const [quota = '', period = ''] = (read(`${roots.unified}${folder}/cpu.max`) ?? '').trim().split(' ')
  return share(Number(quota), Number(period))
}

/** Version 1: -1 stands for no quota. */
function firstQuota(read: (path: string) => string | undefined, folder: string): number {
  const microseconds = (file: string): number => Number(read(`${roots.cpu}${folder}/${file}`) ?? NaN)
  return share(microseconds('cpu.cfs_quota_us'), microseconds('cpu.cfs_period_us'))
}

function share(quota: number, period: number): number {
  return quota > 0 && period > 0 ? quota / period : Infinity
}
