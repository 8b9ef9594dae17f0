/**
 * LaTeX in pieces, as the lexers of SymPy's `parse_latex` (LaTeX.g4, 1.14) and of latex2sympy2_extended (PS.g4, 1.11)
 * cut it.
 */

/** `broken`: a letter that no rule takes, on which everything stops once it is looked at. */
export interface Token {
  readonly kind:
    | 'number'
    | 'percent'
    | 'letter'
    | 'command'
    | 'differential'
    | 'accent'
    | 'transpose'
    | 'degree'
    | 'word'
    | 'sign'
    | 'matrix'
    | 'end'
    | 'broken'
  /** A command's without its backslash. */
  readonly text: string
}

type Rule = readonly [kind: Token['kind'] | 'skipped', pattern: RegExp]

const blank: readonly Rule[] = [
  ['skipped', /[ \t\r\n]+/y],
  ['skipped', /\\[,:;!]/y],
  [
    'skipped',
    /\\(?:thinspace|medspace|thickspace|quad|qquad|negthinspace|negmedspace|negthickspace|vrule|vcenter|vbox|vskip|vspace|hfil)(?![a-zA-Z])/y,
  ],
]

/** A digit is a piece of its own there, so that blanks may stand between. */
const gap = '(?:[ \\t\\r\\n]|\\\\[,:;!])*'
const digits = new RegExp(
  `\\d(?:${gap}\\d)*(?:${gap},${gap}\\d${gap}\\d${gap}\\d)*(?:${gap}\\.${gap}\\d(?:${gap}\\d)*)?`,
  'y',
)

const sympyRules: readonly Rule[] = [
  ...blank,
  ['sign', /\\(?:left|right)\|/y],
  ['skipped', /\\(?:left|right)(?![a-zA-Z])/y],
  ['skipped', /\\[*./"(=-]/y],
  ['sign', /\\[{}]/y],
  ['command', /\\[a-zA-Z]+/y],
  ['differential', /d[ \t\r\n]*(?:[a-zA-Z]|\\[a-zA-Z]+)/y],
  ['letter', /[a-zA-Z]/y],
  ['number', digits],
  ['sign', /&[ \t\r\n]*=|=[ \t\r\n]*&?/y],
  ['sign', /'+/y],
  ['sign', /[-+*/(){}[\]|_^:<>!,.]/y],
]

const words =
  'arcsinh|arsinh|arccosh|arcosh|arctanh|artanh|gcd|lcm|floor|ceil|eye|zeros|ones|cols|rows|diag|norm|rank|trace|tr|rref|hstack|vstack|orthogonalize|orthogonal|ortho|orth|nullspace|diagonalize|eigenvalues|eigenvals|eigenvectors|eigenvects|eigen|eig|svd|SVD|matrix|pmatrix|bmatrix|vmatrix'
const accents =
  'acute|bar|overline|breve|check|widecheck|dot|ddot|grave|hat|tilde|widetilde|vec|overrightarrow|bm|boldsymbol|text|textit|textbf|textnormal|mathbb|mathbin|mathbf|mathcal|mathclap|mathclose|mathellipsis|mathfrak|mathinner|mathit|mathnormal|mathop|mathopen|mathord|mathpunct|mathrel|mathring|mathrlap|mathrm|mathscr|mathsf|mathsterling|mathtt|mbox'

const extendedRules: readonly Rule[] = [
  ...blank,
  ['skipped', /\\\$(?!\\infty)/y],
  ['matrix', /\\(?:begin|end)\{(?:matrix|pmatrix|bmatrix|vmatrix)\}|\\begin\{array\}\{[clr]*\}|\\end\{array\}|\\\\|&/y],
  ['sign', /\\mathbb\{[NZQRCP]\}|[ℕℤℚℝℂℙ]|\\\{\\\}|\\lbrace\\rbrace|∅/y],
  ['accent', new RegExp(`\\\\(?:${accents})[ \\t\\r\\n]?\\{(?:\\\\\\}|[^}])*?\\}`, 'y')],
  ['degree', /\^(?:\\circle|\\circ|\\degree|°|\{(?:\\circle|\\circ|\\degree|°)\})/y],
  ['transpose', /\^T|\^\{T\}|'/y],
  ['sign', /\\[{}()|]/y],
  ['command', /\\char"?000[0-9A-F]{3}/y],
  ['command', /\\not\\equiv|\\[a-zA-Z]+/y],
  ['differential', /d[ \t\r\n]*(?:[a-zA-Z]|\\[a-zA-Z]+)/y],
  ['word', new RegExp(words, 'y')],
  ['letter', /[a-zA-Z]|[αβγΓδΔεϵζηθΘϑικλΛμνξΞοπΠϖρϱσΣςτυΥφΦϕχψΨωΩℵℶℷℸ]/y],
  ['percent', /(?:\d*\.\d+|\d+)[ \t\r\n]?\\?%/y],
  ['number', /(?:\d*\.\d+|\d+)E[-+−∸∔⊕⊞]?\d+/y],
  ['number', /\d*\.\d+|\d+/y],
  ['sign', /<->|<=>|!==|!=|==|~=|<=|>=/y],
  ['sign', /[-+*/(){}[\]|_^:<>!,;=.]/y],
  ['sign', /[∔⊕⊞−∸×⋅⋄⊡∗⋆∘∙⊗⊠⋈⋉⋊÷∕≡≣≟≎≏≐≑≒≓≔≕≖≗≈≊≋≃≅≪≺⋖≤≦≲≾≫≻⋗≥≧≳≿≠≁≄≇≉≢∪∩∖±∓⊇⊆∉]/y],
]

export type Dialect = 'sympy' | 'extended'

/** Ends with a token of the kind `end`. */
export function latexTokens(text: string, dialect: Dialect): Token[] {
  const rules = dialect === 'sympy' ? sympyRules : extendedRules
  const tokens: Token[] = []
  for (let at = 0; at < text.length;) {
    const { kind, length } = next(text, at, rules)
    const own = text.slice(at, at + length)
    if (kind === 'command') tokens.push({ kind, text: own.slice(1) })
    else if (kind === 'number') tokens.push({ kind, text: own.replace(/[^\dE.+-]/g, '') })
    else if (kind !== 'skipped') tokens.push({ kind, text: own })
    at += length
  }
  return [...tokens, { kind: 'end', text: '' }]
}

/** The longest match; among equals the first rule. */
function next(text: string, at: number, rules: readonly Rule[]): { kind: Token['kind'] | 'skipped'; length: number } {
  let best: { kind: Token['kind'] | 'skipped'; length: number } = { kind: 'broken', length: 0 }
  for (const [kind, pattern] of rules) {
    pattern.lastIndex = at
    const length = pattern.exec(text)?.[0].length ?? 0
    if (length > best.length) best = { kind, length }
  }
  return best.length > 0 ? best : { kind: 'broken', length: 1 }
}
