/** Which family a config.json names: by `model_type`, by the class in `architectures`, or by what the user says. */
import { fault, type Fault, nearest, suggestion } from '#core'
import { isObject } from '#files/formats'
import { configReader, type ConfigReader } from './config-reader.ts'
import type { Family } from './family.ts'
import { refusedTypes } from './refused-types.ts'
import { families } from './table.ts'
import { textPart } from './text-part.ts'

export interface NamedFamily {
  readonly family: Family
  readonly modelType: string
}

/** Every `model_type` that can be opened. */
export function modelTypes(): readonly string[] {
  return [...new Set(families.flatMap((family) => family.modelTypes))]
}

/**
 * The one that a config borrows the model type for, the one that reads this class of it, or otherwise the one that reads
 * all classes.
 */
function familyOfType(modelType: string, className: string | undefined, config?: ConfigReader): Family | undefined {
  const other = families.find(
    ({ borrows }) => config !== undefined && borrows?.modelType === modelType && borrows.when(config),
  )
  if (other !== undefined) return other
  return choose(
    families.filter((family) => family.modelTypes.includes(modelType)),
    className,
  )
}

function choose(candidates: readonly Family[], className: string | undefined): Family | undefined {
  const special = candidates.find(({ only }) => className !== undefined && only?.includes(className))
  return special ?? candidates.find(({ only }) => only === undefined)
}

export function familyNamed(architecture: string, className?: string): NamedFamily {
  const family = familyOfType(architecture, className)
  if (family === undefined) {
    throw fault('usage.value', {
      place: 'architecture',
      what: 'is not a family that Strata knows',
      seen: architecture,
      hint: suggestion(architecture, modelTypes()),
    })
  }
  return { family, modelType: architecture }
}

/**
 * The family a config names, by `model_type` or, where that is missing, by `architectures`; a model of several
 * towers has the family of its text part. Undefined for one that is not known.
 */
export function findFamily(config: Readonly<Record<string, unknown>>): Family | undefined {
  const { fields } = textPart(config)
  const text = isObject(fields) ? fields : config
  const { model_type: modelType } = text
  const { architectures: classes } = config
  const [first] = Array.isArray(classes) ? (classes as unknown[]) : []
  const className = typeof first === 'string' ? first : undefined
  if (modelType !== undefined && modelType !== null)
    return typeof modelType === 'string'
      ? familyOfType(modelType, className, configReader(text, 'config.json'))
      : undefined
  return className === undefined ? undefined : familyOfClass(className)
}

function familyOfClass(className: string): Family | undefined {
  const stem = classStem(className)
  return choose(
    families.filter(({ classes }) => classes.some((known) => known === stem)),
    className,
  )
}

/**
 * `lacking`: what a config lacks of a family, empty where it reads as that. Throws `config.family` for a name that no
 * family has, with the nearest, and for a config without one.
 */
export function familyOf(
  reader: ConfigReader,
  className: string | undefined,
  lacking: (modelType: string) => string,
): NamedFamily {
  const written = reader.text('model_type')
  if (written !== undefined) {
    const family = familyOfType(written, className, reader)
    if (family === undefined) throw unknownFamily(reader, written, lacking)
    return { family, modelType: written }
  }
  const family = className === undefined ? undefined : familyOfClass(className)
  if (className === undefined || family === undefined) {
    throw fault('config.family', {
      place: `${reader.place} › model_type`,
      what: 'is missing, and architectures does not identify the family',
      seen: className,
      hint: 'name the family with --architecture, e.g. --architecture bert',
    })
  }
  const index = family.classes.indexOf(classStem(className) ?? '')
  return { family, modelType: family.modelTypes[index] ?? family.modelTypes[0] ?? family.title }
}

/** Says why a known type stays closed; otherwise the hint quotes the fault of the nearest family on this config. */
function unknownFamily(reader: ConfigReader, modelType: string, lacking: (modelType: string) => string): Fault {
  const reason = refusedTypes.get(modelType)
  if (reason !== undefined)
    return fault('config.family', {
      place: `${reader.place} › model_type`,
      what: `models of this type do not open: ${reason}`,
      seen: modelType,
    })
  const near = nearest(modelType, modelTypes()) ?? 'llama'
  const lacks = lacking(near)
  return fault('config.family', {
    place: `${reader.place} › model_type`,
    what: `no family of this name is known; the nearest is ${near}`,
    seen: modelType,
    hint:
      lacks === ''
        ? `this config reads as ${near}: if the tensors are its too, open it with --architecture ${near}`
        : `as ${near} it would fail: ${lacks}; families: ${modelTypes().join(', ')}`,
  })
}

const classPattern = /^(.+?)(?:Text)?(?:Encoder|LMHead|DoubleHeads|PreTrained)?(?:Model|For[A-Z]\w*)$/

/** `BertForMaskedLM` → `Bert`, `GPT2LMHeadModel` → `GPT2`. */
function classStem(className: string): string | undefined {
  return classPattern.exec(className)?.[1]
}
