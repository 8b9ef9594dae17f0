/**
 * Where a text states its answers: patterns of math_verify 0.9 by their priority – LaTeX behind "final answer is",
 * boxes, LaTeX behind "answer", LaTeX anywhere; plain numbers and sums in the same order.
 */

/** `groups` by their names: `first_latex…`, `next1_latex…`, `…_percent`; `expr`, `integer…`, `decimal…`, `percent`. */
export interface Found {
  readonly kind: 'latex' | 'plain'
  readonly start: number
  readonly end: number
  readonly groups: Readonly<Record<string, string | undefined>>
}

interface Pattern {
  readonly kind: Found['kind']
  readonly priority: number
  readonly regex: RegExp
}

const white = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'
const percent = '(?:\\\\?%|[Pp]ercent|[Pp]ercentage|[Pp]ct)'
const anyCase = (text: string): string => text.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)
const finalAnswer = anyCase('final answer')
const answer = anyCase('answer')
const is = anyCase('is')

/** Contents between the delimiters of an environment; with `boxed` they contain a box. */
const contents = {
  latexDisplayDollar: '(?:[^$]|\\$(?!\\$))',
  latexDisplayBracket: '(?:[^\\\\]|\\\\(?!\\]))',
  latexInlineDollar: '(?:\\\\[$]|[^\\n$])',
  latexInlineParenthesis: '(?:[^\\\\\\n]|\\\\(?!\\)))',
  latexInlineBracket: '[^\\n\\]\\[]',
} as const

function environment(prefix: string, boxed: boolean): string {
  const inside = (name: keyof typeof contents): string => {
    const one = contents[name]
    return `(?<${prefix}${name}>${boxed ? `${one}*?\\\\boxed\\{${one}+?\\}${one}*?` : `${one}+?`})`
  }
  const number = '-?\\p{Nd}+(?:[.,]\\p{Nd}+)?'
  const ways = [
    `(?<!\\\\)\\$\\$${inside('latexDisplayDollar')}(?<!\\\\)\\$\\$`,
    `(?<!\\\\)\\\\\\[${inside('latexDisplayBracket')}(?<!\\\\)\\\\\\]`,
    `(?<!\\\\|\\p{Nd})\\$${inside('latexInlineDollar')}(?<!\\\\)\\$`,
    `(?<!\\\\)\\\\\\(${inside('latexInlineParenthesis')}(?<!\\\\)\\\\\\)`,
    `${white}\\[${inside('latexInlineBracket')}\\]${white}`,
    ...(boxed ? [] : [`(?<${prefix}latexFraction>-?\\\\frac\\{${number}\\}\\{${number}\\})`]),
  ]
  return `(?:(?:${ways.join('|')})${white}*(?<${prefix}percent>${percent})?)`
}

const places = [1, 2, 3, 4, 5]
const joint = `${white}*(?:,?and|,?or|,)${white}*`
const latex = `(?:${environment('first_', false)}${places.map((i) => `(?:${joint}${environment(`next${i}_`, false)})?`).join('')})`
const boxedLatex = `${environment('first_', true)}${places.map((i) => `${white}*(?:${joint}${environment(`next${i}_`, true)})?`).join('')}`

const number = [
  '(?<!\\p{Nd})(?:(?<integer1>-?[1-9]\\p{Nd}{0,2}(?:[ ,]\\p{Nd}{3})+)(?<decimal1>\\.\\p{Nd}+)?',
  '(?<integer2>-?\\p{Nd}+)(?<decimal2>[.,]\\p{Nd}+)',
  '(?<decimal3>\\.\\p{Nd}+)',
  `(?<integer3>-?\\p{Nd}+))(?<percent>${white}*(?:%|[Pp]ercent|${white}*[Pp]ercentage|${white}*[Pp]ct))?`,
].join('|')
const operators = '+\\-*×\\/\\^()÷'
const sign = `[\\p{Nd}.${white.slice(1, -1)}${operators}]`
const before = `(?:^|${white}|=)(?:\\*\\*)?`
const after = `(?:\\*\\*)?(?:\\.|,|:|${white}|\\)|\\$|$)`
const currency = '$€£¥₹₽₪₩₫฿₡₢₣₤₥₦₧₨₭₮₯₰₱₲₳₴₵₶₷₸₺₻₼₾₿'
const sumAnywhere = `(?:${before}(?<expr>-?\\(?-?\\p{Nd}${sign}*[${operators}]${sign}+\\)?)${after})`
const numberAnywhere = `(?:${before}[${currency}]?${number})`
const plain = `(?:${sumAnywhere}|${numberAnywhere})`

const latexPattern = (priority: number, source: string): Pattern => ({
  kind: 'latex',
  priority,
  regex: new RegExp(source, 'gsu'),
})
const plainPattern = (priority: number, source: string): Pattern => ({
  kind: 'plain',
  priority,
  regex: new RegExp(source, 'gu'),
})

const latexPatterns: readonly Pattern[] = [
  latexPattern(0, `${finalAnswer} ${is}:?${white}*${latex}\\.?${white}?I hope`),
  latexPattern(50, `${finalAnswer}.{0,100}?${white}+is:?${white}*${latex}`),
  latexPattern(100, `${answer}:.{0,50}?${latex}`),
  latexPattern(200, `${answer}.{0,50}?${latex}`),
  latexPattern(300, latex),
  latexPattern(50, boxedLatex),
  latexPattern(50, '(?<first_latexBoxed>\\\\boxed\\{.+\\})'),
]
const lineEnd = (source: string): string => source.replaceAll('.{', '[^\\n]{')
const plainPatterns: readonly Pattern[] = [
  plainPattern(0, `${finalAnswer} ${is}:?${white}*${plain}\\.?${white}?I hope`),
  plainPattern(50, lineEnd(`${finalAnswer}.{0,100}?${white}+is:?${plain}`)),
  plainPattern(100, lineEnd(`${answer}:(?:.{0,100}=${white}*|.{0,50}?)${plain}(?!${white}*=)`)),
  plainPattern(200, lineEnd(`${answer}(?:.{0,100}=${white}*|.{0,50}?)${plain}(?!${white}*=)`)),
  plainPattern(300, sumAnywhere),
  plainPattern(300, numberAnywhere),
]

const priorities = [0, 50, 100, 200, 300]

/**
 * Groups of one priority after another, in each the match first that ends last, of those the longest. `latexOnly`: no
 * plain numbers.
 */
export function* answersIn(text: string, { latexOnly }: { readonly latexOnly: boolean }): Generator<readonly Found[]> {
  const patterns = latexOnly ? latexPatterns : [...latexPatterns, ...plainPatterns]
  for (const priority of priorities) {
    const found = patterns
      .filter((pattern) => pattern.priority === priority)
      .flatMap(({ kind, regex }) =>
        Array.from(text.matchAll(regex), ({ index, 0: all, groups = {} }): Found => ({
          kind,
          start: index,
          end: index + all.length,
          groups,
        })),
      )
    yield found.sort((a, b) => b.end - a.end || a.start - b.start)
  }
}
