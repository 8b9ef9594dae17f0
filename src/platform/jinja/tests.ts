/** Jinja's tests: `x is defined`, `selectattr('role', 'equalto', 'user')`. */
import type { Budget } from './budget.ts'
import { compare, contains, equal } from './operators.ts'
import { isKind, isList, kindOf, numberOf, refuseStrict, TemplateError, typeName, type Value } from './values.ts'

type Test = (value: Value, other: Value, budget: Budget) => boolean

const same: Test = (value, other, budget) => equal(value, other, budget)
const different: Test = (value, other, budget) => !equal(value, other, budget)
const greater: Test = (value, other, budget) => compare(value, other, budget) > 0
const atLeast: Test = (value, other, budget) => compare(value, other, budget) >= 0
const less: Test = (value, other, budget) => compare(value, other, budget) < 0
const atMost: Test = (value, other, budget) => compare(value, other, budget) <= 0

export const tests: Readonly<Record<string, Test>> = {
  boolean: (value) => typeof value === 'boolean',
  // a missing value counts as callable, and fails when called
  callable: (value) => isKind(value, 'callable', 'undefined'),
  defined: (value) => !isKind(value, 'undefined'),
  undefined: (value) => isKind(value, 'undefined'),
  divisibleby: (value, other) => whole(value) % whole(other) === 0,
  even: (value) => whole(value) % 2 === 0,
  odd: (value) => whole(value) % 2 !== 0,
  false: (value) => value === false,
  true: (value) => value === true,
  none: (value) => value === null,
  float: (value) => isKind(value, 'float'),
  integer: (value) => typeof value === 'number' || typeof value === 'bigint',
  number: (value) => typeof value === 'bigint' || numberOf(value) !== undefined,
  string: (value) => typeof value === 'string',
  mapping: (value) => isKind(value, 'dict'),
  iterable: (value) => {
    refuseStrict(value)
    return typeof value === 'string' || isList(value) || isKind(value, 'dict', 'undefined')
  },
  sequence: (value) =>
    typeof value === 'string' ||
    isList(value) ||
    isKind(value, 'dict') ||
    (isKind(value, 'undefined') && !value.strict),
  in: (value, other, budget) => contains(other, value, budget),
  lower: (value) =>
    usable(value) && typeof value === 'string' && value === value.toLowerCase() && value !== value.toUpperCase(),
  upper: (value) =>
    usable(value) && typeof value === 'string' && value === value.toUpperCase() && value !== value.toLowerCase(),
  sameas: (value, other) =>
    value === other ||
    (typeof value !== 'bigint' &&
      typeof other !== 'bigint' &&
      kindOf(value) === kindOf(other) &&
      numberOf(value) !== undefined &&
      numberOf(value) === numberOf(other)),
  eq: same,
  equalto: same,
  '==': same,
  ne: different,
  '!=': different,
  gt: greater,
  greaterthan: greater,
  '>': greater,
  ge: atLeast,
  '>=': atLeast,
  lt: less,
  lessthan: less,
  '<': less,
  le: atMost,
  '<=': atMost,
}

function usable(value: Value): boolean {
  refuseStrict(value)
  return true
}

function whole(value: Value): number {
  const number = numberOf(value)
  if (number === undefined)
    throw new TemplateError(`not all arguments converted: a number is needed, not ${typeName(value)}`)
  return number
}
