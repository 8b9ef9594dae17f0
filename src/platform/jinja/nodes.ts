/** The syntax tree that @huggingface/jinja's parser makes; only its shape is used, its interpreter is not. */

export interface Operator {
  readonly value: string
}

export type Expression =
  | { readonly type: 'IntegerLiteral' | 'FloatLiteral'; readonly value: number }
  | { readonly type: 'StringLiteral'; readonly value: string }
  | { readonly type: 'ArrayLiteral' | 'TupleLiteral'; readonly value: readonly Expression[] }
  | { readonly type: 'ObjectLiteral'; readonly value: ReadonlyMap<Expression, Expression> }
  | Identifier
  | Member
  | Call
  | { readonly type: 'UnaryExpression'; readonly operator: Operator; readonly argument: Expression }
  | { readonly type: 'BinaryExpression'; readonly operator: Operator; readonly left: Expression; readonly right: Expression }
  | { readonly type: 'FilterExpression'; readonly operand: Expression; readonly filter: Identifier | Call }
  | { readonly type: 'TestExpression'; readonly operand: Expression; readonly negate: boolean; readonly test: Identifier }
  | Select
  | { readonly type: 'Ternary'; readonly condition: Expression; readonly trueExpr: Expression; readonly falseExpr: Expression }

export interface Identifier {
  readonly type: 'Identifier'
  readonly value: string
}

export interface Member {
  readonly type: 'MemberExpression'
  readonly object: Expression
  readonly property: Expression | Slice
  /** `a[b]`, not `a.b`. */
  readonly computed: boolean
}

export interface Slice {
  readonly type: 'SliceExpression'
  readonly start: Expression | undefined
  readonly stop: Expression | undefined
  readonly step: Expression | undefined
}

export interface Call {
  readonly type: 'CallExpression'
  readonly callee: Expression
  readonly args: readonly Argument[]
}

/** `x if y` without else; in a `for`, the loop's filter. */
export interface Select {
  readonly type: 'SelectExpression'
  readonly lhs: Expression
  readonly test: Expression
}

export type Argument = Expression | Spread | KeywordSpread | Keyword

/** `*list` */
export interface Spread {
  readonly type: 'SpreadExpression'
  readonly argument: Expression
}

/** `**dict` */
export interface KeywordSpread {
  readonly type: 'KeywordSpreadExpression'
  readonly argument: Expression
}

export interface Keyword {
  readonly type: 'KeywordArgumentExpression'
  readonly key: Identifier
  readonly value: Expression
}

export type Parameter = Identifier | Keyword

export interface For {
  readonly type: 'For'
  readonly loopvar: Identifier | { readonly type: 'TupleLiteral'; readonly value: readonly Expression[] }
  readonly iterable: Expression
  readonly body: readonly Statement[]
  readonly defaultBlock: readonly Statement[]
}

export interface SetStatement {
  readonly type: 'Set'
  readonly assignee: Expression
  readonly value: Expression | null
  readonly body: readonly Statement[]
}

export interface Macro {
  readonly type: 'Macro'
  readonly name: Identifier
  readonly args: readonly Parameter[]
  readonly body: readonly Statement[]
}

export interface CallBlock {
  readonly type: 'CallStatement'
  readonly call: Call
  readonly callerArgs: readonly Parameter[] | null
  readonly body: readonly Statement[]
}

/** A bare expression stands for `{{ … }}`, a bare string literal also for text between tags. */
export type Statement =
  | Expression
  | { readonly type: 'If'; readonly test: Expression; readonly body: readonly Statement[]; readonly alternate: readonly Statement[] }
  | For
  | SetStatement
  | Macro
  | CallBlock
  | { readonly type: 'FilterStatement'; readonly filter: Identifier | Call; readonly body: readonly Statement[] }
  | { readonly type: 'Break' | 'Continue' | 'Comment' }

export interface Program {
  readonly body: readonly Statement[]
}
