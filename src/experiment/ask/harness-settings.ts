/** How a harness is asked. */

/** What a user of lm-evaluation-harness says beside model and tasks; all of it can move a score. */
export interface HarnessSettings {
  /** Examples; default: the task's own number. A task that says 0 keeps it. */
  readonly numFewshot?: number | undefined
  /** Documents of each task: a count, or below 1 a share. */
  readonly limit?: number | undefined
  /** Task → places of its documents; other tasks are asked whole. */
  readonly samples?: Readonly<Record<string, readonly number[]>> | undefined
  readonly systemInstruction?: string | undefined
  readonly applyChatTemplate?: boolean | undefined
  /** Examples as turns of the chat; default: as the harness does, when a chat template is applied. */
  readonly fewshotAsMultiturn?: boolean | undefined
  readonly genKwargs?: Readonly<Record<string, unknown>> | undefined
  readonly fewshotSeed?: number | undefined
  /** Of drawn answers. */
  readonly seed?: number | undefined
  /** Documents with a continuation that is longer than the model's window are left out and counted. */
  readonly skipTooLong?: boolean | undefined
  /** Answers are kept and nothing is scored. */
  readonly predictOnly?: boolean | undefined
  /** Draws of bootstrapped errors; 0: no errors. */
  readonly bootstrapIterations?: number | undefined
}
