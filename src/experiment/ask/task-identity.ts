/** Under which name and fingerprint the ledger holds a task of the harness. */
import { fingerprint, type LanguageModel, type ResultSettings } from '#core'
import { harnessRelease } from '#files/packages'
import { fingerprintOf } from '#result/ledger'
import { groupsOf, type Node, type TaskNode } from '#task/harness'
import type { HarnessSettings } from './harness-settings.ts'
import { fewshotOf } from './prepare-task.ts'
import type { QuestionHashes } from './sample-rows.ts'

export interface AskedHarnessTask {
  readonly task: TaskNode
  readonly model: LanguageModel
  readonly settings: HarnessSettings
}

export const harnessProfile = `lm-eval-${harnessRelease}`

/** Types of arithmetic that are part of a name, as everywhere: float32 is not. */
const reducedTypes: readonly string[] = ['bf16', 'f16', 'int8']

/** What is asked is the head for the next token, not a vector. */
const seenThrough = 'logits'

/** As results say them. */
export function settingsOf({ task, model: { facts }, settings }: AskedHarnessTask): ResultSettings {
  return { dtype: facts.dtype, window: facts.window, ...settings, numFewshot: fewshotOf(task, settings) }
}

/** `hashes`: of its questions, filter after filter. */
export function taskFingerprint(
  asked: AskedHarnessTask,
  { dataRevision, hashes }: { readonly dataRevision: string; readonly hashes: readonly QuestionHashes[] },
): string {
  const { task, model } = asked
  return fingerprintOf({
    model: { identity: model.facts.identity },
    reading: {},
    settings: settingsOf(asked),
    representation: representationOf(asked),
    task: { name: task.name, type: 'harness', config: task.config.written },
    // prompts, targets and documents, whatever file or function made them
    data: fingerprint([
      dataRevision,
      hashes.map(({ doc_hash: doc, prompt_hash: prompt, target_hash: target }) => [doc, prompt, target]),
    ]),
    profile: harnessProfile,
    arithmetic: 'harness 1',
  })
}

/**
 * Groups by name, each with what its numbers come from besides those of its tasks: no task's own fingerprint says how a
 * group averages.
 */
export function groupFingerprints(nodes: readonly Node[]): Record<string, string> {
  return Object.fromEntries(
    groupsOf(nodes).map(({ name, alias, version, metrics, members }) => [
      `group ${name}`,
      fingerprint({ alias, version: version ?? null, metrics, members: members.map((member) => member.name) }),
    ]),
  )
}

/** What is not the task's own way is part of the name: results of both lie side by side. */
export function representationOf({ task, model, settings }: AskedHarnessTask): string {
  const numFewshot = fewshotOf(task, settings)
  const { dtype } = model.facts
  const {
    limit,
    samples,
    applyChatTemplate,
    fewshotAsMultiturn,
    systemInstruction,
    genKwargs,
    seed = 0,
    fewshotSeed = 1234,
  } = settings
  const others = {
    fewshotAsMultiturn: fewshotAsMultiturn === applyChatTemplate ? undefined : fewshotAsMultiturn,
    systemInstruction,
    genKwargs,
    samples: samples?.[task.name],
    seed: seed === 0 ? undefined : seed,
    fewshotSeed: fewshotSeed === 1234 ? undefined : fewshotSeed,
  }
  return [
    seenThrough,
    ...(numFewshot === (task.config.numFewshot ?? 0) ? [] : [`${numFewshot}shot`]),
    ...(limit === undefined || samples?.[task.name] !== undefined ? [] : [`limit${limit}`]),
    ...(applyChatTemplate === true ? ['chat'] : []),
    ...(reducedTypes.includes(dtype) ? [dtype] : []),
    ...(Object.values(others).every((value) => value === undefined) ? [] : [fingerprint(others).slice(0, 6)]),
  ].join('+')
}
