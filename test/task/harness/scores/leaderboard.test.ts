import { describe, expect, test } from 'vitest'
import { type LeaderboardTask, leaderboardOf } from '#task/harness'

const names = {
  bbh: 'boolean_expressions causal_judgement date_understanding disambiguation_qa formal_fallacies geometric_shapes hyperbaton logical_deduction_five_objects logical_deduction_seven_objects logical_deduction_three_objects movie_recommendation navigate object_counting penguins_in_a_table reasoning_about_colored_objects ruin_names salient_translation_error_detection snarks sports_understanding temporal_sequences tracking_shuffled_objects_five_objects tracking_shuffled_objects_seven_objects tracking_shuffled_objects_three_objects web_of_lies',
  math: 'algebra_hard counting_and_prob_hard geometry_hard intermediate_algebra_hard num_theory_hard prealgebra_hard precalculus_hard',
  gpqa: 'diamond extended main',
  musr: 'murder_mysteries object_placements team_allocation',
}
const whole = (score: number): LeaderboardTask[] => [
  ...Object.entries(names).flatMap(([group, own]) =>
    own.split(' ').map((name) => ({
      name: `leaderboard_${group}_${name}`,
      values: { [group === 'math' ? 'exact_match,none' : 'acc_norm,none']: score },
    })),
  ),
  {
    name: 'leaderboard_ifeval',
    values: { 'prompt_level_strict_acc,none': score, 'inst_level_strict_acc,none': score },
  },
  { name: 'leaderboard_mmlu_pro', values: { 'acc,none': score } },
]

describe('the leaderboard', () => {
  test('everything right is 1, nothing right is 0', () => {
    for (const score of [0, 1]) {
      const found = leaderboardOf(whole(score))
      expect(
        found?.groups.map(({ name, normalised, tasks, of }) => [name, normalised.toFixed(12), tasks === of]),
      ).toEqual(
        ['ifeval', 'bbh', 'math_hard', 'gpqa', 'musr', 'mmlu_pro'].map((name) => [name, score.toFixed(12), true]),
      )
      expect(found?.average).toBeCloseTo(score, 12)
    }
  })

  test('a task is scaled by its own choices before the mean; below a guess is 0', () => {
    const tasks = [
      { name: 'leaderboard_musr_murder_mysteries', values: { 'acc_norm,none': 0.75 } },
      { name: 'leaderboard_musr_object_placements', values: { 'acc_norm,none': 0.1 } },
      { name: 'leaderboard_bbh_geometric_shapes', values: { 'acc_norm,none': 6 / 11 } },
    ]
    const [bbh, musr] = leaderboardOf(tasks)?.groups ?? []
    expect([musr?.raw, musr?.normalised]).toEqual([0.425, 0.25])
    expect(bbh?.normalised).toBeCloseTo(0.5, 14)
    expect(leaderboardOf(tasks)?.average).toBeNull()
  })

  test('tasks of one guess weigh by their documents; IFEval is the mean of its two', () => {
    const found = leaderboardOf([
      { name: 'leaderboard_gpqa_diamond', values: { 'acc_norm,none': 0.25 }, size: 100 },
      { name: 'leaderboard_gpqa_main', values: { 'acc_norm,none': 1 }, size: 300 },
      {
        name: 'leaderboard_ifeval',
        values: { 'prompt_level_strict_acc,none': 0.2, 'inst_level_strict_acc,none': 0.4 },
      },
    ])
    expect(found?.groups.map(({ name, raw, normalised }) => [name, raw.toFixed(10), normalised.toFixed(10)])).toEqual([
      ['ifeval', '0.3000000000', '0.3000000000'],
      ['gpqa', '0.8125000000', '0.7500000000'],
    ])
  })

  test('tasks weigh alike as soon as one does not say how many documents it has', () => {
    const found = leaderboardOf([
      { name: 'leaderboard_gpqa_diamond', values: { 'acc_norm,none': 0.25 }, size: 100 },
      { name: 'leaderboard_gpqa_main', values: { 'acc_norm,none': 1 } },
    ])
    expect(found?.groups[0]?.raw).toBe(0.625)
  })

  test('other tasks are none of it', () => {
    expect(leaderboardOf([{ name: 'bbh_navigate', values: { 'acc_norm,none': 1 } }])).toBeUndefined()
  })
})
