/**
 * harness: tasks of lm-evaluation-harness – their files, prompts, examples, filters, metrics, groups.
 *
 * In: folders of task files, rows of data sets, responses of a language model. Out: requests for a language model;
 * scores, documents and groups equal to those of the harness.
 * Never: a model, running Python, skipping a task silently.
 */
export {
  chooseTasks,
  type GroupMetric,
  type GroupNode,
  groupsOf,
  type Node,
  type TaskNode,
  tasksOf,
} from './config/choose-tasks.ts'
export { type Entry, indexTasks, type TaskIndex } from './config/index-tasks.ts'
export { type FunctionReference, isFunctionReference } from './config/read-config.ts'
export type { TaskConfig } from './config/task-config.ts'
export type { Doc, DocValue } from './doc.ts'
export { filterNames, isFilter } from './filters/table.ts'
export { loadDocs, type LoadedDocs } from './load-docs.ts'
export { portFinder, type PortFinder, portOf } from './ports/find-port.ts'
export { fieldsOf } from './prompts/fields.ts'
export { type PromptSettings, type Question, type Questions, questionsOf } from './prompts/requests.ts'
export { groupNumbers, type GroupNumbers, type MetricValues, type TaskNumbers } from './scores/groups.ts'
export { isOfLeaderboard, type Leaderboard, leaderboardOf, type LeaderboardTask } from './scores/leaderboard.ts'
export { type Answered, type ScoredDoc, scoreTask, type TaskScores } from './scores/score-task.ts'
export { taskMetrics } from './scores/task-metrics.ts'
