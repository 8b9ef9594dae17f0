/** How a model is read: what the user said, else what the folder says, else the defaults of decisions. */
import { fault } from '../core/index.ts'
import type { ModelSpec } from '../architectures/index.ts'
import type { Tokenizer } from '../tokenizer/index.ts'
import type { ModelOptions, ModelSettings } from './model.ts'
import type { ModulesSpec } from './modules.ts'
import type { PromptChoice } from './prompts.ts'
import type { PoolingName } from './representation.ts'

/** Longest input when neither user nor folder says: encoders, decoders. */
const defaultLength = { encoder: 512, decoder: 2048 } as const

export interface Read {
  readonly settings: ModelSettings
  readonly prompts: PromptChoice
  /** Settings that differ from the folder's own, as they appear in a representation's name (`len128`). */
  readonly overrides: readonly string[]
}

export function readSettings(spec: ModelSpec, modules: ModulesSpec | undefined, tokenizer: Tokenizer | undefined, options: ModelOptions, place: string): Read {
  const modelMaximum = Math.min(spec.maxTokens ?? Infinity, tokenizer?.modelMaxLength ?? Infinity)
  const own = modules?.maxLength ?? (modules === undefined ? Math.min(spec.causal ? defaultLength.decoder : defaultLength.encoder, modelMaximum) : modelMaximum)
  const maxLength = options.maxLength ?? (Number.isFinite(own) ? own : defaultLength.decoder)
  if (spec.maxTokens !== undefined && maxLength > spec.maxTokens) {
    throw fault('usage.value', {
      place: `${place} › max length`,
      what: 'longer than the positions of the model',
      seen: maxLength,
      wanted: `at most ${spec.maxTokens}`,
    })
  }
  const folderPooling: readonly PoolingName[] = modules?.pooling ?? ['mean']
  const pooling = options.pooling === undefined ? folderPooling : [options.pooling]
  const normed = spec.final.norm
  const finalNorm = options.finalNorm ?? (normed ? 'always' : 'native')
  const overrides = [
    ...(options.pooling !== undefined && pooling.join() !== folderPooling.join() ? [options.pooling] : []),
    ...(maxLength === own ? [] : [`len${maxLength}`]),
    ...(normed && finalNorm === 'native' ? ['native'] : []),
    ...(options.prompt === undefined ? [] : [`prompt-${shortText(options.prompt)}`]),
    ...(options.promptName === undefined ? [] : [`prompt-${shortText(options.promptName)}`]),
    ...(options.chat === true ? ['chat'] : []),
  ]
  return {
    settings: {
      pooling,
      maxLength,
      finalNorm,
      includePrompt: modules?.includePrompt ?? true,
      lowerCase: modules?.lowerCase ?? false,
      chat: options.chat === true,
      dtype: 'f32',
    },
    prompts: {
      prompts: modules?.prompts ?? {},
      defaultName: modules?.defaultPromptName,
      ...(options.prompt === undefined ? {} : { literal: options.prompt }),
      ...(options.promptName === undefined ? {} : { name: options.promptName }),
    },
    overrides,
  }
}

/** A prompt as part of a file name: its first letters and digits, and a checksum against look-alikes. */
function shortText(text: string): string {
  let checksum = 0
  for (const letter of text) checksum = (Math.imul(checksum, 31) + (letter.codePointAt(0) ?? 0)) >>> 0
  return `${text.replace(/[^A-Za-z0-9]+/g, '').slice(0, 12)}${checksum.toString(16)}`
}
