/** The syntax tree of a template. */
import type { Value } from './values.ts'

export type Expression =
  | { readonly type: 'Constant'; readonly value: Value }
  | { readonly type: 'List' | 'Tuple'; readonly items: readonly Expression[] }
  | { readonly type: 'Dict'; readonly entries: readonly (readonly [Expression, Expression])[] }
  | Name
  | { readonly type: 'Attribute'; readonly object: Expression; readonly name: string }
  | { readonly type: 'Item'; readonly object: Expression; readonly key: Expression }
  | Slice
  | Call
  | { readonly type: 'Unary'; readonly operator: 'not' | '-' | '+'; readonly operand: Expression }
  | { readonly type: 'Binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | Compare
  | { readonly type: 'Filter'; readonly operand: Expression; readonly filter: Named }
  | { readonly type: 'Test'; readonly operand: Expression; readonly negate: boolean; readonly test: Named }
  /** `yes if test else no`. */
  | {
      readonly type: 'Conditional'
      readonly test: Expression
      readonly yes: Expression
      readonly no: Expression | undefined
    }

export interface Name {
  readonly type: 'Name'
  readonly name: string
}

export interface Slice {
  readonly type: 'Slice'
  readonly object: Expression
  readonly start: Expression | undefined
  readonly stop: Expression | undefined
  readonly step: Expression | undefined
}

export interface Call {
  readonly type: 'Call'
  readonly callee: Expression
  readonly args: readonly Argument[]
}

/** `a < b <= c`: true when every neighbours are so. */
export interface Compare {
  readonly type: 'Compare'
  readonly first: Expression
  readonly others: readonly { readonly operator: string; readonly value: Expression }[]
}

/** A filter or test with what it is given besides its operand. */
export interface Named {
  readonly name: string
  readonly args: readonly Argument[]
}

export type Argument =
  | { readonly kind: 'positional' | 'spread' | 'keyword spread'; readonly value: Expression }
  | { readonly kind: 'keyword'; readonly name: string; readonly value: Expression }

export interface Parameter {
  readonly name: string
  readonly fallback: Expression | undefined
}

/** What can be assigned to: a name, an entry of a namespace, several of them. */
export type Target =
  | Name
  | { readonly type: 'Entry'; readonly holder: string; readonly name: string }
  | { readonly type: 'Targets'; readonly targets: readonly Target[] }

export interface For {
  readonly type: 'For'
  readonly target: Target
  readonly iterable: Expression
  /** Only items for which it is true. */
  readonly test: Expression | undefined
  readonly body: readonly Statement[]
  /** When there was no item. */
  readonly otherwise: readonly Statement[]
}

export interface Macro {
  readonly type: 'Macro'
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly body: readonly Statement[]
  /** Arguments that no parameter takes: its body names `varargs`, `kwargs`. */
  readonly takesMore: { readonly positional: boolean; readonly named: boolean }
}

export interface CallBlock {
  readonly type: 'CallBlock'
  readonly call: Call
  readonly parameters: readonly Parameter[]
  readonly body: readonly Statement[]
}

export type Statement =
  | { readonly type: 'Text'; readonly text: string }
  | { readonly type: 'Print'; readonly value: Expression }
  | {
      readonly type: 'If'
      readonly test: Expression
      readonly body: readonly Statement[]
      readonly otherwise: readonly Statement[]
    }
  | For
  | { readonly type: 'Set'; readonly target: Target; readonly value: Expression }
  | {
      readonly type: 'SetBlock'
      readonly target: Target
      readonly filters: readonly Named[]
      readonly body: readonly Statement[]
    }
  | Macro
  | CallBlock
  | { readonly type: 'FilterBlock'; readonly filters: readonly Named[]; readonly body: readonly Statement[] }
  /** Names of its own; `{% generation %}` has none. */
  | {
      readonly type: 'With'
      readonly entries: readonly (readonly [Target, Expression])[]
      readonly body: readonly Statement[]
    }
  | { readonly type: 'Break' | 'Continue' }

export interface Program {
  readonly body: readonly Statement[]
}
