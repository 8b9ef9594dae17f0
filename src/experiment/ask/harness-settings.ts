/** Settings of a harness run. */

/** Settings that a user of lm-evaluation-harness gives in addition to model and tasks; all of them can move a score. */
export interface HarnessSettings {
  /** Number of examples; default: the task's own. A task with 0 keeps it. */
  readonly numFewshot?: number | undefined
  /** Documents of each task: a count, or below 1 a share. */
  readonly limit?: number | undefined
  /** Task → positions of its documents; other tasks are run whole. */
  readonly samples?: Readonly<Record<string, readonly number[]>> | undefined
  readonly systemInstruction?: string | undefined
  readonly applyChatTemplate?: boolean | undefined
  /** Examples as turns of the chat; default: true when a chat template is applied, as in the harness. */
  readonly fewshotAsMultiturn?: boolean | undefined
  readonly genKwargs?: Readonly<Record<string, unknown>> | undefined
  readonly fewshotSeed?: number | undefined
  /** Seed of sampled answers. */
  readonly seed?: number | undefined
  /** Documents with a continuation that is longer than the model's window are left out and counted. */
  readonly skipTooLong?: boolean | undefined
  /** Answers are stored and nothing is scored. */
  readonly predictOnly?: boolean | undefined
  /** Draws of bootstrapped errors; 0: no errors. */
  readonly bootstrapIterations?: number | undefined
}
