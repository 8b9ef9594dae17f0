/** What a task says of itself to a model that takes instructions. */
import type { AskingTask } from '#core'
import type { TaskInfo } from './task.ts'

/** mteb's sentence for tasks that have none of their own (`abstask_prompt` of its classes). */
const generic: Readonly<Record<TaskInfo['protocol'], string>> = {
  AbsTaskSTS: 'Retrieve semantically similar text.',
  AbsTaskPairClassification: 'Retrieve text that are semantically similar to the given text.',
  AbsTaskClassification: 'Classify user passages.',
  AbsTaskMultilabelClassification: 'Classify user passages.',
  AbsTaskRegression: 'Predict the value of the user passage.',
  AbsTaskClustering: 'Identify categories in user passages.',
  AbsTaskClusteringLegacy: 'Identify categories in user passages.',
  AbsTaskRetrieval: 'Retrieve text based on user query.',
  AbsTaskBitextMining: 'Retrieve parallel sentences.',
  AbsTaskSummarization: 'Given a news summary, retrieve other semantically similar summaries.',
  SequenceClassification: '',
  Contrast: 'Retrieve semantically similar text.',
  AbsTaskAggregate: '',
}

/** The task as models know it when they choose a prompt. */
export function askingTask({ name, type, prompt, protocol }: TaskInfo): AskingTask {
  return { name, type, prompt, genericPrompt: generic[protocol] }
}

/** Sides on which a task's texts are asked: queries and documents, or texts that have none. */
export function sidesOf({ protocol, params }: TaskInfo): readonly ('query' | 'document' | undefined)[] {
  if (protocol === 'AbsTaskRetrieval') return ['query', 'document']
  const { input1_prompt_type: first, input2_prompt_type: second } = params
  return [...new Set([first ?? undefined, second ?? undefined])]
}
