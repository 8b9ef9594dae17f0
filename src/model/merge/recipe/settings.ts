/**
 * What a parameter is at one tensor: a number, a gradient over the layers, or the first matching entry of a list of
 * conditions (mergekit's rules).
 */
import { fault } from '#core'
import type { ParameterValue } from '#model/merge-methods'

export type Scalar = number | boolean | string

/**
 * An entry of a conditional list; without a filter, or with `*`, it holds for every tensor. Any other filter is part of
 * a name.
 */
export interface Condition {
  readonly filter?: string | null | undefined
  readonly value: Scalar | readonly Scalar[] | null
}

export type Setting = Scalar | readonly Scalar[] | Condition | readonly Condition[] | null

export type Settings = Readonly<Record<string, Setting>>

/**
 * The value at tensor `name` in position `t` ∈ [0, 1] of its slice; null where the setting says nothing. Throws
 * `usage.value` for an empty gradient.
 */
export function settingAt(setting: Setting, name: string, t: number, place: string): ParameterValue | null {
  if (isConditions(setting)) {
    const entry = setting.find(
      ({ filter }) => filter === undefined || filter === null || filter === '*' || name.includes(filter),
    )
    return entry === undefined ? null : valueAt(entry.value, t, place)
  }
  if (isCondition(setting)) return settingAt([setting], name, t, place)
  return valueAt(setting, t, place)
}

function valueAt(value: Scalar | readonly Scalar[] | null, t: number, place: string): ParameterValue | null {
  if (!Array.isArray(value)) return scalar(value as Scalar | null)
  const points = (value as readonly Scalar[]).map(scalar)
  if (points.length === 0)
    throw fault('usage.value', { place, what: 'an empty gradient', wanted: 'at least one value' })
  const x = t * (points.length - 1)
  const i = Math.min(Math.floor(x), points.length - 1)
  const [from, to] = [points[i], points[Math.min(i + 1, points.length - 1)]]
  if (typeof from !== 'number' || typeof to !== 'number') return from ?? null
  return (1 - (x - i)) * from + (x - i) * to
}

/** Numbers that YAML 1.1 would take for text. */
function scalar(value: Scalar | null): Scalar | null {
  return typeof value === 'string' && /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(value) ? Number(value) : value
}

function isCondition(setting: Setting): setting is Condition {
  return typeof setting === 'object' && setting !== null && !Array.isArray(setting)
}

function isConditions(setting: Setting): setting is readonly Condition[] {
  return (
    Array.isArray(setting) &&
    setting.length > 0 &&
    setting.every((entry) => typeof entry === 'object' && entry !== null)
  )
}

/** Position of a layer in its slice: 0 … 1; a slice of one layer stands at 1. */
export function layerPosition(index: number, layers: number): number {
  return layers === 1 ? 1 : index / (layers - 1)
}
