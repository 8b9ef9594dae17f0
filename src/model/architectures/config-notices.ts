/** Words of a config that say two things, or mean another than they say, with the reading that is taken. */
import { isObject } from '#files/formats'
import { findFamily } from './find-family.ts'
import type { Fields } from './tensor-roles.ts'
import { textPart } from './text-part.ts'

/** One line each, as transformers 5 reads them; empty for a config that is clear. */
export function configNotices(whole: unknown): string[] {
  const { fields: config } = textPart(whole)
  if (!isObject(config)) return []
  const [older, newer] = [filledSection(config, 'rope_scaling'), filledSection(config, 'rope_parameters')]
  const lines: string[] = []
  for (const [name, section] of [
    ['rope_scaling', older],
    ['rope_parameters', newer],
  ] as const) {
    if (section === undefined) continue
    for (const key of ['rope_theta', 'original_max_position_embeddings'] as const) {
      const [inside, outside] = [section[key], config[key]]
      if (typeof inside !== 'number' || typeof outside !== 'number' || inside === outside) continue
      const counts = key === 'rope_theta' ? `${inside} inside ${name} counts` : `${outside} outside ${name} counts`
      lines.push(`config.json has two values of ${key}: ${counts}`)
    }
    const [kind, older] = [section['rope_type'], section['type']]
    if (typeof kind === 'string' && typeof older === 'string' && kind !== older)
      lines.push(`${name} has rope_type ${kind} and type ${older}: rope_type counts`)
  }
  if (older !== undefined && newer !== undefined && JSON.stringify(older) !== JSON.stringify(newer))
    lines.push(
      'config.json has rope_scaling and rope_parameters: rope_scaling counts, unless layer types have their own',
    )
  if (findFamily(config)?.modelTypes[0] === 'gemma' && config['hidden_act'] === 'gelu')
    lines.push('hidden_act gelu of this family means its tanh approximation')
  return lines.map((line) => `${line} (as transformers 5 reads it)`)
}

/** A section that says something. */
function filledSection(config: Fields, name: string): Fields | undefined {
  const section = config[name]
  return isObject(section) && Object.keys(section).length > 0 ? section : undefined
}
