/** Name and fingerprint of a harness task in the ledger. */
import { fingerprint, type LanguageModel, type ResultSettings } from '#core'
import { harnessRelease } from '#files/packages'
import { makeFingerprint, settingsHash } from '#result/ledger'
import { groupsOf, type Node, type TaskNode } from '#task/harness'
import type { HarnessSettings } from './harness-settings.ts'
import { countExamples } from './prepare-task.ts'
import type { QuestionHashes } from './sample-rows.ts'

export interface HarnessTaskIdentity {
  readonly task: TaskNode
  readonly model: LanguageModel
  readonly settings: HarnessSettings
}

export const harnessProfile = `lm-eval-${harnessRelease}`

/** Number types that become part of a name; float32 does not. */
const reducedTypes: readonly string[] = ['bf16', 'f16', 'int8']

/** The task uses the head for the next token, not a vector. */
const seenThrough = 'logits'

/** As results store them. */
export function toSettings({ task, model: { facts }, settings }: HarnessTaskIdentity): ResultSettings {
  return { dtype: facts.dtype, window: facts.window, ...settings, numFewshot: countExamples(task, settings) }
}

/** `hashes`: those of its questions, filter by filter. */
export function taskFingerprint(
  asked: HarnessTaskIdentity,
  { dataRevision, hashes }: { readonly dataRevision: string; readonly hashes: readonly QuestionHashes[] },
): string {
  const { task, model } = asked
  return makeFingerprint({
    model: { identity: model.facts.identity },
    reading: {},
    settings: toSettings(asked),
    representation: nameRepresentation(asked),
    task: { name: task.name, type: 'harness', config: task.config.written },
    // prompts, targets and documents, independent of the file or function that made them
    data: fingerprint([
      dataRevision,
      hashes.map(({ doc_hash: doc, prompt_hash: prompt, target_hash: target }) => [doc, prompt, target]),
    ]),
    profile: harnessProfile,
    arithmetic: 'harness 1',
  })
}

/**
 * Groups by name, each with everything but its tasks that its numbers come from: no task's own fingerprint says how a
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

/** Settings other than the task's own become part of the name, so that both results can coexist. */
export function nameRepresentation({ task, model, settings }: HarnessTaskIdentity): string {
  const numFewshot = countExamples(task, settings)
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
  const hash = settingsHash({
    fewshotAsMultiturn: fewshotAsMultiturn === applyChatTemplate ? undefined : fewshotAsMultiturn,
    systemInstruction,
    genKwargs,
    samples: samples?.[task.name],
    seed: seed === 0 ? undefined : seed,
    fewshotSeed: fewshotSeed === 1234 ? undefined : fewshotSeed,
  })
  return [
    seenThrough,
    ...(numFewshot === (task.config.numFewshot ?? 0) ? [] : [`${numFewshot}shot`]),
    ...(limit === undefined || samples?.[task.name] !== undefined ? [] : [`limit${limit}`]),
    ...(applyChatTemplate === true ? ['chat'] : []),
    ...(settings.skipTooLong === true ? ['fitting'] : []),
    ...(reducedTypes.includes(dtype) ? [dtype] : []),
    ...(hash === undefined ? [] : [hash]),
  ].join('+')
}
