/** Settings of a flag such as `--model_args`: `a=1,b=x` or a JSON object, as lm-evaluation-harness reads them. */
import { fault, suggestion } from '#core'

export type Settings = Readonly<Record<string, unknown>>

/** `a=1,b=x` or a JSON object. Numbers, `True`, `False`, `None` have their Python values. */
export function parseSettings(text: string, place: string): Record<string, unknown> {
  const trimmed = text.trim()
  if (trimmed === '') return {}
  if (trimmed.startsWith('{')) {
    try {
      return JSON.parse(trimmed) as Record<string, unknown>
    } catch (error) {
      throw fault('usage.value', { place, what: 'must be a JSON object', seen: trimmed.slice(0, 80), cause: error })
    }
  }
  return Object.fromEntries(
    trimmed
      .split(',')
      .filter((part) => part.trim() !== '')
      .map((part) => {
        const at = part.indexOf('=')
        if (at <= 0)
          throw fault('usage.value', {
            place,
            what: 'a setting has no value',
            seen: part,
            wanted: 'name=value,name=value',
          })
        return [part.slice(0, at).trim(), valueOf(part.slice(at + 1).trim())]
      }),
  )
}

function valueOf(text: string): unknown {
  if (/^(?:true|True)$/.test(text)) return true
  if (/^(?:false|False)$/.test(text)) return false
  if (/^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text)) return Number(text)
  return text === 'None' ? null : text
}

export function readText(settings: Settings, key: string): string | undefined {
  const value = settings[key] ?? undefined
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value)
}

export function readCount(settings: Settings, key: string, least: number): number | undefined {
  const value = settings[key] ?? undefined
  if (value === undefined || (typeof value === 'number' && Number.isSafeInteger(value) && value >= least)) return value
  throw fault('usage.value', {
    place: `--model_args › ${key}`,
    what: 'must be a whole number',
    seen: value,
    wanted: `${least} or more`,
  })
}

export function readFlag(settings: Settings, key: string): boolean | undefined {
  const value = settings[key] ?? undefined
  if (value === undefined || typeof value === 'boolean') return value
  throw fault('usage.value', { place: `--model_args › ${key}`, what: 'must be True or False', seen: value })
}

/** Throws `usage.value` for a setting of no server. */
export function refuseUnknown(settings: Settings, known: readonly string[]): void {
  const unknown = Object.keys(settings).find((key) => !known.includes(key))
  if (unknown !== undefined)
    throw fault('usage.value', {
      place: '--model_args',
      what: 'servers have no such setting',
      seen: unknown,
      hint: suggestion(unknown, known),
    })
}

/** The model as a server calls it. */
export function readName(settings: Settings): string {
  const model = readText(settings, 'model') ?? readText(settings, 'pretrained')
  if (model !== undefined) return model
  throw fault('usage.flag', {
    place: '--model_args',
    what: 'the name of the model on the server is missing',
    hint: 'add model=NAME',
  })
}

/** The address of a server. */
export function readAddress(settings: Settings, usual: string | undefined, example: string): string {
  const base = readText(settings, 'base_url') ?? usual
  if (base !== undefined && URL.canParse(base) && /^https?:/.test(base)) return base
  throw fault('usage.flag', {
    place: '--model_args › base_url',
    what: 'the address of the server is missing',
    seen: base,
    hint: `base_url=${example}`,
  })
}
