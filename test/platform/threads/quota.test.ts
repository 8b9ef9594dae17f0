import { expect, test } from 'vitest'
import { readQuota } from '../../../src/platform/threads/quota.ts'

const quota = (files: Readonly<Record<string, string>>): number => readQuota((path) => files[path])

test('version 2: the least of the group and those above it', () => {
  const group = { '/proc/self/cgroup': '0::/jobs/one\n', '/sys/fs/cgroup/cpu.max': 'max 100000\n' }
  expect(quota(group)).toBe(Infinity)
  expect(quota({ ...group, '/sys/fs/cgroup/jobs/one/cpu.max': '400000 100000\n' })).toBe(4)
  expect(
    quota({
      ...group,
      '/sys/fs/cgroup/jobs/one/cpu.max': '400000 100000\n',
      '/sys/fs/cgroup/jobs/cpu.max': '150000 100000\n',
    }),
  ).toBe(1.5)
})

test('version 1: -1 is no quota, and a container that sees its own group as the root is limited by the root', () => {
  const group = { '/proc/self/cgroup': '4:memory:/docker/one\n3:cpu,cpuacct:/docker/one\n' }
  const root = '/sys/fs/cgroup/cpu'
  expect(quota({ ...group, [`${root}/cpu.cfs_quota_us`]: '-1\n', [`${root}/cpu.cfs_period_us`]: '100000\n' })).toBe(
    Infinity,
  )
  expect(quota({ ...group, [`${root}/cpu.cfs_quota_us`]: '200000\n', [`${root}/cpu.cfs_period_us`]: '100000\n' })).toBe(
    2,
  )
})

test('without control groups nothing is limited', () => {
  expect(quota({})).toBe(Infinity)
})
