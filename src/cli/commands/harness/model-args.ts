/** `--model hf --model_args a=b,c=d`, as lm-evaluation-harness reads them. */
import { type Device, deviceName, fault, parseDevice, suggestion } from '#core'
import type { ComputeType } from '#model/passes'
import type { Flags } from './flags.ts'
import type { OpenServerOptions } from '#experiment/open'
import type { LanguageModelOptions } from '#model/language'
import { parseSettings, readFlag, serverKinds } from '#model/server'
import { findRemedy, isAsDone } from './foreign-args.ts'
import { isServerKind, serverArgs } from './server-args.ts'

interface Named {
  /** Name of the model in results. */
  readonly name: string
  /** As written, for the results file. */
  readonly text: string
}

/** A checkpoint to open, the folder of recorded answers, or a server. */
export type ModelArgs =
  | (Named & {
      readonly kind: 'checkpoint'
      readonly reference: string
      readonly options: LanguageModelOptions
      readonly machine: Machine
    })
  | (Omit<Named, 'name'> & { readonly kind: 'samples'; readonly folder: string })
  | (Named & { readonly kind: 'server'; readonly server: OpenServerOptions })

/** Where the checkpoint runs, and in which type. */
interface Machine {
  readonly device: Device
  readonly dtype: ComputeType
}

/** `--model`: the reference's names for a checkpoint. */
const checkpoints = ['hf', 'huggingface']

const known = [
  'pretrained',
  'revision',
  'dtype',
  'max_length',
  'add_bos_token',
  'prefix_token_id',
  'trust_remote_code',
  'device',
  'backend',
]
/** Accepted where they request the only behaviour there is. */
const only: Readonly<Record<string, readonly unknown[]>> = {
  trust_remote_code: [false, 'False'],
}

/** Throws `usage.flag`, `usage.value`, `usage.conflict`. */
export function modelArgs(
  named: string | undefined,
  { model = 'hf', model_args: text = '', batch_size: batch, device }: Flags,
): ModelArgs {
  const settings = parseSettings(text, '--model_args')
  if (model === 'samples') return samplesArgs(named, settings, text)
  if (isServerKind(model)) {
    if (named !== undefined)
      throw fault('usage.conflict', {
        place: `--model ${model}`,
        what: 'a server is asked, so there can be no checkpoint',
        seen: named,
        hint: 'give --model_args model=NAME',
      })
    const server = serverArgs(model, settings, { batch })
    return { kind: 'server', server, name: server.model, text }
  }
  const kinds = ['hf', 'samples', ...Object.keys(serverKinds)]
  if (!checkpoints.includes(model))
    throw fault('usage.value', {
      place: '--model',
      what: 'no such kind of model',
      seen: model,
      wanted: kinds,
      hint: suggestion(model, kinds),
    })
  checkSettings(settings)
  const { pretrained, revision } = settings
  if (named !== undefined && pretrained !== undefined)
    throw fault('usage.conflict', {
      place: '--model_args › pretrained',
      what: 'two models are given',
      seen: [named, pretrained],
      hint: 'leave one of them out',
    })
  const base = named ?? (typeof pretrained === 'string' ? pretrained : undefined)
  if (base === undefined)
    throw fault('usage.flag', {
      place: 'strata harness',
      what: 'no model is given',
      hint: 'run strata harness MODEL, or give --model_args pretrained=MODEL',
    })
  return {
    kind: 'checkpoint',
    reference: revision === undefined || revision === 'main' ? base : `${base}@${wordOf(revision)}`,
    name: base,
    text: text === '' ? `pretrained=${base}` : text,
    options: {
      maxLength: toWhole(settings, 'max_length'),
      prefixTokenId: toWhole(settings, 'prefix_token_id'),
      addBosToken: readFlag(settings, 'add_bos_token'),
      backend: backendOf(settings),
    },
    machine: machineOf(settings, device),
  }
}

/** `--device` and the argument of the same name are one; `auto` is the type of the folder for the reference. */
function machineOf(settings: Readonly<Record<string, unknown>>, flag: Device | undefined): Machine {
  const { device: named = flag ?? 'cpu', dtype = 'auto' } = settings
  const device = parseDevice(wordOf(named), '--model_args › device')
  if (flag !== undefined && flag !== device)
    throw fault('usage.conflict', {
      place: '--model_args › device',
      what: '--device names another',
      seen: [flag, device],
      hint: 'leave one of them out',
    })
  const types = ['float32', ...(deviceName(device) === 'cuda' ? (['bfloat16', 'float16'] as const) : [])] as const
  const type = dtype === 'auto' ? 'float32' : types.find((one) => one === dtype)
  if (type !== undefined) return { device, dtype: type }
  throw fault('usage.value', {
    place: '--model_args › dtype',
    what: 'not supported',
    seen: dtype,
    wanted: [...types, 'auto'],
    hint: deviceName(device) === 'cuda' ? undefined : 'bfloat16 and float16 go with --device cuda',
  })
}

/** Throws `usage.value` for settings that are unknown or not supported, and for values that do not hold here. */
function checkSettings(settings: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(settings)) {
    if (isAsDone(key, value)) continue
    const remedy = findRemedy(key)
    if (remedy !== undefined)
      throw fault('usage.value', {
        place: `--model_args › ${key}`,
        what: 'not supported',
        seen: value,
        hint: remedy,
      })
    if (!known.includes(key))
      throw fault('usage.value', {
        place: '--model_args',
        what: 'no such setting',
        seen: key,
        hint: suggestion(key, known),
      })
  }
  for (const [key, values] of Object.entries(only))
    if (settings[key] !== undefined && !values.includes(settings[key]))
      throw fault('usage.value', {
        place: `--model_args › ${key}`,
        what: 'not supported',
        seen: settings[key],
        wanted: values,
      })
}

function samplesArgs(named: string | undefined, settings: Readonly<Record<string, unknown>>, text: string): ModelArgs {
  const unknown = Object.keys(settings).find((key) => key !== 'path')
  if (unknown !== undefined)
    throw fault('usage.value', {
      place: '--model_args',
      what: 'samples have only one setting',
      seen: unknown,
      wanted: ['path'],
    })
  const { path = named } = settings
  if (typeof path !== 'string' || (named !== undefined && named !== path))
    throw fault('usage.flag', {
      place: '--model samples',
      what: 'exactly one folder of samples must be given',
      hint: 'give --model_args path=FOLDER',
    })
  return { kind: 'samples', folder: path, text: text === '' ? `path=${path}` : text }
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const backends = ['causal', 'seq2seq', 'default'] as const

function backendOf({ backend = 'default' }: Readonly<Record<string, unknown>>): (typeof backends)[number] {
  const known = backends.find((one) => one === backend)
  if (known !== undefined) return known
  throw fault('usage.value', {
    place: '--model_args › backend',
    what: 'not supported',
    seen: backend,
    wanted: backends,
    hint: typeof backend === 'string' ? suggestion(backend, backends) : undefined,
  })
}

function toWhole(settings: Readonly<Record<string, unknown>>, key: string): number | undefined {
  const value = settings[key] ?? undefined
  if (value === undefined || (typeof value === 'number' && Number.isInteger(value) && value >= 0)) return value
  throw fault('usage.value', { place: `--model_args › ${key}`, what: 'must be a whole number', seen: value })
}
