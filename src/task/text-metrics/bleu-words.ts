/** Words as BLEU counts them: the tokenisers of sacreBLEU (Post 2018) by name. */
import { stripText } from '#core'
import { splitWords } from '#platform/python'

export const bleuWords = {
  '13a': mteval13,
  intl: international,
  zh: chinese,
  char: (text: string): string[] => splitWords(Array.from(text).join(' ')),
  none: splitWords,
} as const

export type BleuWords = keyof typeof bleuWords

/** mteval-v13a.pl, of Western languages. */
function mteval13(text: string): string[] {
  const line = text.replaceAll('<skipped>', '').replaceAll('-\n', '').replaceAll('\n', ' ')
  const plain = line.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
  return western(` ${plain} `)
}

function western(text: string): string[] {
  return splitWords(
    text
      .replace(/([{-~[-` -&(-+:-@/])/gu, ' $1 ')
      .replace(/([^0-9])([.,])/gu, '$1 $2 ')
      .replace(/([.,])([^0-9])/gu, ' $1 $2')
      .replace(/([0-9])(-)/gu, '$1 $2 '),
  )
}

/** mteval-v14.pl: punctuation unless it stands between digits, and symbols. */
function international(text: string): string[] {
  return splitWords(
    text
      .replace(/(\P{N})(\p{P})/gu, '$1 $2 ')
      .replace(/(\p{P})(\P{N})/gu, ' $1 $2')
      .replace(/(\p{S})/gu, ' $1 '),
  )
}

/**
 * Characters that sacreBLEU takes for Chinese. Its two ranges beyond U+FFFF are written with four digits each
 * (`\u20000`), so that they mean U+2001–U+2A6D and U+2F81–U+2FA1: kept, as scores are compared with its own.
 */
const chineseLetter =
  /[\u2001-\u2a6d\u2e80-\u2fdf\u2ff0-\u303f\u3100-\u312f\u31a0-\u31bf\u31c0-\u31ef\u3200-\u4db5\u4e00-\u9fbb\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef]/gu

function chinese(text: string): string[] {
  return western(stripText(text).replace(chineseLetter, ' $& '))
}
