/**
 * The Open LLM Leaderboard (version 2) out of its tasks' scores: raw, and scaled so that guessing is 0 and everything
 * right is 1 (its documentation, "Normalization").
 */
import { mean } from '#core'

export interface LeaderboardTask {
  readonly name: string
  /** As the harness names them: `acc_norm,none`. */
  readonly values: Readonly<Record<string, unknown>>
  /** Documents; tasks of one group weigh by them where all say so. */
  readonly size?: number | undefined
}

export interface LeaderboardGroup {
  readonly name: string
  /** Both 0 … 1. */
  readonly raw: number
  readonly normalised: number
  /** Tasks of the group that were there. */
  readonly tasks: number
  readonly of: number
}

export interface Leaderboard {
  readonly groups: readonly LeaderboardGroup[]
  /** Mean of the normalised scores; null while a group, or a task of one, is missing. */
  readonly average: number | null
}

/** Choices of a question, where the tasks of a group differ in them. */
const bigBench: Readonly<Record<number, readonly string[]>> = {
  2: [
    'boolean_expressions',
    'causal_judgement',
    'formal_fallacies',
    'hyperbaton',
    'navigate',
    'snarks',
    'sports_understanding',
    'web_of_lies',
  ],
  3: ['disambiguation_qa', 'logical_deduction_three_objects', 'tracking_shuffled_objects_three_objects'],
  4: ['temporal_sequences'],
  5: ['logical_deduction_five_objects', 'penguins_in_a_table', 'tracking_shuffled_objects_five_objects'],
  6: ['date_understanding', 'movie_recommendation', 'ruin_names', 'salient_translation_error_detection'],
  7: ['logical_deduction_seven_objects', 'tracking_shuffled_objects_seven_objects'],
  11: ['geometric_shapes'],
  18: ['reasoning_about_colored_objects'],
  19: ['object_counting'],
}
const choicesOf = new Map([
  ...Object.entries(bigBench).flatMap(([count, names]) =>
    names.map((name): [string, number] => [`leaderboard_bbh_${name}`, Number(count)]),
  ),
  ['leaderboard_musr_murder_mysteries', 2],
  ['leaderboard_musr_object_placements', 5],
  ['leaderboard_musr_team_allocation', 3],
])

interface Rule {
  readonly name: string
  readonly prefix: string
  readonly tasks: number
  /** Averaged where there are several. */
  readonly metrics: readonly string[]
  /** A guess's score; undefined: by the choices of each task, scaled before the mean. */
  readonly guess: number | undefined
}

const rules: readonly Rule[] = [
  {
    name: 'ifeval',
    prefix: 'leaderboard_ifeval',
    tasks: 1,
    metrics: ['prompt_level_strict_acc,none', 'inst_level_strict_acc,none'],
    guess: 0,
  },
  { name: 'bbh', prefix: 'leaderboard_bbh_', tasks: 24, metrics: ['acc_norm,none'], guess: undefined },
  { name: 'math_hard', prefix: 'leaderboard_math_', tasks: 7, metrics: ['exact_match,none'], guess: 0 },
  { name: 'gpqa', prefix: 'leaderboard_gpqa_', tasks: 3, metrics: ['acc_norm,none'], guess: 1 / 4 },
  { name: 'musr', prefix: 'leaderboard_musr_', tasks: 3, metrics: ['acc_norm,none'], guess: undefined },
  { name: 'mmlu_pro', prefix: 'leaderboard_mmlu_pro', tasks: 1, metrics: ['acc,none'], guess: 1 / 10 },
]

/** Whether a task counts for the leaderboard, which asks for its metrics by name. */
export function isOfLeaderboard(task: string): boolean {
  return rules.some(({ prefix }) => task.startsWith(prefix))
}

/** Undefined where no task of the leaderboard is among them. */
export function leaderboardOf(tasks: readonly LeaderboardTask[]): Leaderboard | undefined {
  const groups = rules.flatMap((rule): LeaderboardGroup[] => {
    const own = tasks.flatMap(({ name, values, size }) => {
      const scores = rule.metrics.map((metric) => values[metric])
      const numbers = scores.filter((score) => typeof score === 'number')
      return name.startsWith(rule.prefix) && numbers.length === scores.length
        ? [{ name, size, score: mean(numbers) }]
        : []
    })
    if (own.length === 0) return []
    const sizes = own.map(({ size }) => size)
    const weights = sizes.every((size) => size !== undefined) ? sizes : own.map(() => 1)
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    const raw = own.reduce((sum, { score }, i) => sum + (score * (weights[i] ?? 0)) / total, 0)
    const normalised =
      rule.guess === undefined
        ? mean(own.map(({ name, score }) => scaled(score, 1 / (choicesOf.get(name) ?? Infinity))))
        : scaled(raw, rule.guess)
    return [{ name: rule.name, raw, normalised, tasks: own.length, of: rule.tasks }]
  })
  if (groups.length === 0) return undefined
  const whole = groups.length === rules.length && groups.every(({ tasks: there, of }) => there === of)
  return { groups, average: whole ? mean(groups.map(({ normalised }) => normalised)) : null }
}

/** Below a guess is 0. */
function scaled(score: number, guess: number): number {
  return Math.max(0, (score - guess) / (1 - guess))
}
