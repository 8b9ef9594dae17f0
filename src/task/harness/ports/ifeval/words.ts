/**
 * Words as NLTK 3.10.4 finds them: runs of letters, and the tokens of `word_tokenize` (R. MacIntyre's rules for the
 * Penn Treebank, improved).
 */
import { splitWords } from './python-text.ts'
import { space, wordCharacter as word } from './regex-classes.ts'
import { sentencesOf } from './sentences.ts'

/** `RegexpTokenizer(r"\w+")`. */
export function countWords(text: string): number {
  return Array.from(text.matchAll(new RegExp(`${word}+`, 'gu'))).length
}

/** `nltk.word_tokenize`. */
export function wordsOf(text: string): string[] {
  return sentencesOf(text).flatMap(tokensOf)
}

type Rule = readonly [RegExp, string]

const beforeBlanks: readonly Rule[] = [
  [/([«“‘„]|`+)/gu, ' $1 '],
  [/^"/u, '``'],
  [/(``)/gu, ' $1 '],
  [/([ ([{<])("|'{2})/gu, '$1 `` '],
  [new RegExp(String.raw`(?<!${word})(')(?!(?:re|ve|ll|m|t|s|d|n)(?!${word}))(?=${word})`, 'giu'), '$1 '],
  // the lookahead with its echo takes all it can and gives nothing back
  [new RegExp(String.raw`([^.])(\.)(?=([\])}>"'»”’ ]*))\3[${space}]*$`, 'u'), '$1 $2 $3 '],
  [/([:,])(\P{Nd})/gu, ' $1 $2'],
  [/([:,])(?=\n?$)/gu, ' $1 '],
  [/\.{2,}/gu, ' $& '],
  [/[;@#$%&]/gu, ' $& '],
  [/[\u2012-\u2015]/gu, ' $& '],
  [new RegExp(String.raw`([^.])(\.)([\])}>"']*)[${space}]*$`, 'u'), '$1 $2$3 '],
  [/[?!]/gu, ' $& '],
  [/([^'])' /gu, "$1 ' "],
  [/[*]/gu, ' $& '],
  [/[\][(){}<>]/gu, ' $& '],
  [/--/gu, ' -- '],
]

const afterBlanks: readonly Rule[] = [
  [/([»”’])/gu, ' $1 '],
  [/''/gu, " '' "],
  [/"/gu, " '' "],
  [new RegExp(`[${space}]+`, 'gu'), ' '],
  [/([^' ])('[sS]|'[mM]|'[dD]|') /gu, '$1 $2 '],
  [/([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) /gu, '$1 $2 '],
  ...[
    ['can', 'not'],
    ['d', "'ye"],
    ['gim', 'me'],
    ['gon', 'na'],
    ['got', 'ta'],
    ['lem', 'me'],
    ['more', "'n"],
  ].map(([first, second]): Rule => [
    new RegExp(String.raw`(?<![\p{L}\p{N}_])(${first})(${second})(?![\p{L}\p{N}_])`, 'giu'),
    ' $1 $2 ',
  ]),
  [/(?<![\p{L}\p{N}_])(wan)(na)(?=\s)/giu, ' $1 $2 '],
  [/ ('t)(is)(?![\p{L}\p{N}_])/giu, ' $1 $2 '],
  [/ ('t)(was)(?![\p{L}\p{N}_])/giu, ' $1 $2 '],
]

function tokensOf(sentence: string): string[] {
  const apply = (text: string, rules: readonly Rule[]): string =>
    rules.reduce((so, [pattern, replacement]) => so.replace(pattern, replacement), text)
  return splitWords(apply(` ${apply(sentence, beforeBlanks)} `, afterBlanks))
}
