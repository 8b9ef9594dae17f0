import { describe, expect, test } from 'vitest'
import {
  type Arm,
  type Ask,
  policies,
  policiesNamed,
  policyNames,
  type PolicyOptions,
  type Pull,
} from '#experiment/search'
import { ridgePosterior } from '../../../src/experiment/search/ridge-posterior.ts'

const tasks = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const options: PolicyOptions = { tasks, budget: 24, alpha: 1, seed: 7 }
/** 6 × 4 arms; the reward is linear in their features, and best inside the grid. */
const arms: Arm[] = Array.from({ length: 24 }, (_, i) => ({
  key: `arm ${i}`,
  checkpoint: `step${Math.floor(i / 4)}`,
  features: [Math.floor(i / 4), 10 * (i % 4), Math.floor(i / 4) ** 2, (i % 4) ** 2],
}))
const rewardOf = (arm: number): number => -((Math.floor(arm / 4) - 3) ** 2) - ((arm % 4) - 2) ** 2 / 2

const pullOf = ({ arm, tasks: asked = tasks, share }: Ask, told: readonly Pull[], reward = rewardOf(arm)): Pull => {
  if (share !== undefined)
    return { arm, tasks: asked, share, rewards: Object.fromEntries(asked.map((task, i) => [task, reward * 10 ** i])) }
  const known = new Set([...told.filter((pull) => pull.arm === arm).flatMap((pull) => pull.tasks ?? tasks), ...asked])
  return {
    arm,
    tasks: asked,
    rewards: Object.fromEntries(asked.map((task) => [task, reward])),
    ...(known.size === tasks.length ? { reward } : {}),
  }
}

async function searched(
  name: (typeof policyNames)[number],
  { among = arms, ...more }: Partial<PolicyOptions> & { among?: readonly Arm[] } = {},
): Promise<Pull[]> {
  const next = policies[name].start(among, { ...options, ...more })
  const pulls: Pull[] = []
  for (let ask = await next(pulls); ask !== undefined; ask = await next(pulls)) pulls.push(pullOf(ask, pulls))
  return pulls
}

const whole = (pulls: readonly Pull[]): number[] =>
  pulls.filter(({ reward }) => reward !== undefined).map(({ arm }) => arm)

describe.each(policyNames)('%s', (name) => {
  test('asks no arm twice for the same, and comes to an end', async () => {
    const pulls = await searched(name)
    const asked = pulls.flatMap(({ arm, tasks: some = [] }) => some.map((task) => `${arm} ${task}`))
    expect(new Set(asked).size).toBe(asked.length)
    expect(whole(pulls).length).toBeGreaterThan(policies[name].spreads === true ? 1 : 23)
  })

  test('goes on from recorded pulls as if it had never stopped', async () => {
    const pulls = await searched(name)
    for (const at of [0, 1, 6, 13, pulls.length - 1]) {
      const ask = await policies[name].start(arms, options)(pulls.slice(0, at))
      expect(ask?.arm).toBe(pulls[at]?.arm)
    }
  })

  test('leaves an arm that failed, and asks on', async () => {
    const next = policies[name].start(arms, options)
    const first = await next([])
    const failed: Pull = { arm: first?.arm ?? -1, tasks: first?.tasks ?? tasks, rewards: {} }
    const second = await next([failed])
    expect([second?.arm === failed.arm, second === undefined]).toEqual([false, false])
  })

  test('draws by its seed, or not at all', async () => {
    const [one, again, other] = [await searched(name), await searched(name), await searched(name, { seed: 8 })]
    const order = (pulls: readonly Pull[]): number[] => pulls.map(({ arm }) => arm)
    expect(order(again)).toEqual(order(one))
    expect(order(other).join() !== order(one).join()).toBe(policies[name].draws)
  })

  test('has nothing to ask where there is no arm', async () => {
    expect(await policies[name].start([], options)([])).toBeUndefined()
  })

  test('asks one arm where there is one', async () => {
    const next = policies[name].start(arms.slice(0, 1), options)
    expect((await next([]))?.arm).toBe(0)
  })
})

test.each(['linucb', 'thompson', 'gp-ei'] as const)('%s pulls arms without features last', async (name) => {
  const among = arms.map((arm, i) => (i % 3 === 0 ? { ...arm, features: undefined } : arm))
  const order = whole(await searched(name, { among }))
  expect(order.slice(-8)).toEqual([0, 3, 6, 9, 12, 15, 18, 21])
})

test('linucb-disjoint, as it is published, pulls them first, then by the length of the features', async () => {
  const among = arms.map((arm, i) => (i === 9 ? { ...arm, features: undefined } : arm))
  const order = whole(await searched('linucb-disjoint', { among }))
  expect(order.slice(0, 4)).toEqual([9, 23, 19, 15])
})

test.each(['linucb', 'thompson', 'gp-ei'] as const)(
  '%s finds the best of 24 arms sooner than chance would',
  async (name) => {
    // by chance after 12.5 pulls
    expect(whole(await searched(name, { alpha: 0.3 })).indexOf(14)).toBeLessThan(9)
  },
)

test.each(['linucb', 'gp-ei'] as const)(
  '%s stays with a checkpoint whose arms are cheap when it weighs costs',
  async (name) => {
    const costOf = (arm: number, pulls: readonly Pull[]): number =>
      pulls.some((pull) => arms[pull.arm]?.checkpoint === arms[arm]?.checkpoint) ? 1 : 1000
    const changes = (pulls: readonly Pull[]): number =>
      whole(pulls)
        .slice(0, 12)
        .filter((arm, i, all) => i > 0 && arms[arm]?.checkpoint !== arms[all[i - 1] ?? 0]?.checkpoint).length
    const [plain, aware] = [await searched(name), await searched(name, { costOf })]
    expect(changes(aware)).toBeLessThan(changes(plain))
  },
)

test('linucb by hand: four arms, four rewards', async () => {
  // figures of the specification; arms as rows, an intercept first
  const context = [
    [1, 0.5, -1],
    [1, -0.2, 0.3],
    [1, 1.2, 0.4],
    [1, -1.5, 0.3],
  ]
  const rewards = [0.2, 0.6, -0.1, 0.4]
  const order = [3, 2, 0, 1]
  const pulls: Pull[] = order.map((arm) => ({ arm, rewards: {}, reward: rewards[arm] }))
  const scoresAfter = async (count: number): Promise<number[]> => {
    const { theta, deviationOf } = await ridgePosterior(context, pulls.slice(0, count))
    return context.map((x) => x.reduce((sum, value, i) => sum + value * theta[i]!, 0) + deviationOf(x))
  }
  const scores = await Promise.all(order.map((_, count) => scoresAfter(count)))
  const near = (found: readonly (number | undefined)[], wanted: readonly number[]): boolean =>
    wanted.every((value, i) => Math.abs((found[i] ?? Number.NaN) - value) < 1e-8)
  expect(near(scores[0]!, [1.5, 1.06301458, 1.61245155, 1.82756669])).toBe(true)
  const picked = order.map((arm, at) => scores[at]![arm]!)
  expect(near(picked, [1.82756669, 1.51639534, 1.34007359, 0.69994576])).toBe(true)
  // each was the highest of those still there
  expect(order.map((arm, at) => order.slice(at).every((other) => scores[at]![other]! <= scores[at]![arm]!))).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(near((await ridgePosterior(context, pulls)).theta, [0.22, -0.14946845, -0.00821294])).toBe(true)
})

test('halving spends its budget in rungs: a quarter of few tasks on all that enter, the rest on ever fewer', async () => {
  const pulls = await searched('halving', { budget: 12 })
  const asked = pulls.map(({ tasks: some = [] }) => some.length)
  expect(asked.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(12 * tasks.length)
  const perRung = [2, 2, 4].map(
    (_, rung) =>
      new Set(pulls.filter(({ tasks: some = [] }) => some[0] === rungStarts(pulls)[rung]).map(({ arm }) => arm)).size,
  )
  expect(perRung).toEqual([24, 12, 6])
  // those that are left were the better half each time
  const last = whole(pulls).map(rewardOf)
  expect(Math.max(...last)).toBe(rewardOf(14))
})

test('halving keeps the larger half of an odd number of arms', async () => {
  // ⌈|S| / 2⌉ (Karnin et al. 2013): 5, 3 and 2 on rungs of 2, 2 and 4 of 8 tasks cost 1.25 + 0.75 + 1 whole pulls
  const among = arms.slice(0, 5)
  const pulls = await searched('halving', { among, budget: 3 })
  const perRung = rungStarts(pulls).map((task) => pulls.filter(({ tasks: some = [] }) => some[0] === task).length)
  expect(perRung).toEqual([5, 3, 2])
  expect((await searched('halving', { among, budget: 2.9 })).length).toBeLessThan(pulls.length)
})

test('gp-ei takes the farthest arm five times, and then what promises most', async () => {
  // on a line: its ends, its middle, the middles of its halves; the farthest would then be 2, and the best is 10
  const among = Array.from({ length: 21 }, (_, i) => ({ key: `arm ${i}`, checkpoint: 'main', features: [i] }))
  const next = policies['gp-ei'].start(among, options)
  const pulls: Pull[] = []
  for (let k = 0; k < 7; k++) {
    const ask = (await next(pulls)) ?? { arm: -1 }
    pulls.push(pullOf(ask, pulls, -((ask.arm - 10) ** 2)))
  }
  expect(pulls.map(({ arm }) => arm)).toEqual([0, 20, 10, 5, 15, 9, 11])
})

test('halving leaves an arm that failed behind all others, however low their rewards are', async () => {
  const among = arms.slice(0, 4)
  const next = policies.halving.start(among, { ...options, budget: 4 })
  const pulls: Pull[] = []
  let ask = await next(pulls)
  const [failed, first] = [ask?.arm, ask?.tasks]
  for (; ask !== undefined; ask = await next(pulls))
    pulls.push(ask.arm === failed ? { ...ask, rewards: {} } : pullOf(ask, pulls, -5 - ask.arm))
  expect(pulls.filter(({ arm }) => arm === failed).map(({ tasks: some }) => some)).toEqual([first])
  expect(whole(pulls)).toHaveLength(1)
})

test.each(['linucb', 'thompson', 'gp-ei'] as const)('%s looks farther around with a larger alpha', async (name) => {
  const [bold, shy] = [whole(await searched(name, { alpha: 10 })), whole(await searched(name, { alpha: 0.01 }))]
  expect(bold).not.toEqual(shy)
})

test('halving over texts: all that enter on a share of every task, the better half on more of it', async () => {
  const pulls = await searched('halving', { budget: 9, shares: [0.125, 0.5] })
  const rung = (share: number | undefined): number[] =>
    pulls.filter((pull) => pull.share === share).map(({ arm }) => arm)
  const [first, second, last] = [rung(0.125), rung(0.5), rung(undefined)]
  expect(pulls.every(({ tasks: some = [] }) => some.length === tasks.length)).toBe(true)
  // 12 cost 1.5 + 3 + 3; 13, which leave 7 and 4, 1.625 + 3.5 + 4
  expect([first.length, second.length, last.length]).toEqual([12, 6, 3])
  const best = (among: readonly number[], count: number): number[] =>
    [...among].sort((a, b) => rewardOf(b) - rewardOf(a) || a - b).slice(0, count)
  expect([[...second].sort((a, b) => a - b), [...last].sort((a, b) => a - b)]).toEqual([
    best(first, 6).sort((a, b) => a - b),
    best(second, 3).sort((a, b) => a - b),
  ])
})

test('halving over texts: each task counts alike, an arm that failed comes last, and what was asked whole is not asked again', async () => {
  const among = arms.slice(0, 4)
  const next = policies.halving.start(among, { ...options, tasks: ['wide', 'narrow'], shares: [0.5] })
  // by the sum of scores 0 leads; in deviations 1 does: ahead in the narrow task, and hardly behind in the wide one
  const scores: Record<number, Record<string, number>> = {
    0: { wide: 1, narrow: 0.1 },
    1: { wide: 0.98, narrow: 0.12 },
    2: { wide: 0, narrow: 0.1 },
    3: {},
  }
  const pulls: Pull[] = among.map((_, arm) => ({
    arm,
    tasks: ['wide', 'narrow'],
    share: 0.5,
    rewards: scores[arm] ?? {},
  }))
  const left = async (told: readonly Pull[]): Promise<Ask | undefined> =>
    policies.halving.start(among, { ...options, tasks: ['wide', 'narrow'], shares: [0.5] })(told)
  expect(await next(pulls)).toMatchObject({ arm: 1, tasks: expect.arrayContaining(['wide', 'narrow']) })
  const known: Pull = { arm: 1, rewards: { wide: 1, narrow: 1 }, reward: 1 }
  expect(await left([known, ...pulls])).toMatchObject({ arm: 0 })
  expect(await left([known, ...pulls, { arm: 0, rewards: {}, tasks: ['wide', 'narrow'] }])).toBeUndefined()
})

function rungStarts(pulls: readonly Pull[]): string[] {
  return [...new Set(pulls.map(({ tasks: some = [] }) => some[0] ?? ''))]
}

test('names: one, several, all; a wrong one is told with the nearest', () => {
  expect(policiesNamed('random, gp-ei')).toEqual(['random', 'gp-ei'])
  expect(policiesNamed('all')).toEqual(policyNames)
  expect(() => policiesNamed('linucbb')).toThrow(/no such policy.*linucbb/)
})
