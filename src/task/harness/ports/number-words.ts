/** Numbers in English words, as the package word2number reads them. */

const units = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
]
const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const scales = { billion: 1e9, million: 1e6, thousand: 1e3 } as const
const values = new Map<string, number>([
  ...units.map((word, i) => [word, i] as const),
  ...tens.map((word, i) => [word, 10 * i + 20] as const),
  ['hundred', 100],
  ...Object.entries(scales),
])

/** One word, with what may follow the stems of the teens and tens, and that of eight. */
const word = (ending: string, eight: string): string =>
  `(?:zero|one|two|three|four|five|(?:twen|thir|for|fif|six|seven|nine)(?:${ending}teen|ty)|eight(?:${eight}een|y)|ten|eleven|twelve|fourteen|hundred|thousand|(?:m|b|tr)illion)`
/**
 * The pattern of the harness's bbh tasks: at its end it sees no six, seven, eight and nine that stand alone, and in
 * between a stem may do.
 */
const pattern = new RegExp(String.raw`(?:${word('', '|')}(?:${word('|', '')}|[^\S\r\n]|,|and|&)+)?${word('', '')}`, 'g')

/**
 * The match at a place as digits. Undefined where there is none, or where the words make no number (the reference stops
 * there).
 */
export function numberInWords(text: string, place: number): string | undefined {
  const found = [...text.toLowerCase().matchAll(pattern)].map(([own]) => own).at(place)
  const value =
    found === undefined
      ? undefined
      : valueOf(
          found
            .replaceAll('-', ' ')
            .split(/\s+/)
            .filter((word) => values.has(word)),
        )
  return value === undefined ? undefined : String(value)
}

/** Undefined for a scale that comes twice, or after a smaller one, or that nothing stands before. */
function valueOf(words: readonly string[]): number | undefined {
  if (words.length <= 1) return words[0] === undefined ? undefined : values.get(words[0])
  let rest = words
  let sum = 0
  for (const [scale, size] of Object.entries(scales)) {
    const at = rest.indexOf(scale)
    if (at < 0) continue
    const count = belowThousand(rest.slice(0, at))
    if (count === undefined || rest.indexOf(scale, at + 1) >= 0) return undefined
    sum += count * size
    rest = rest.slice(at + 1)
    if (rest.length === 0) return sum
  }
  const end = belowThousand(rest)
  return end === undefined ? undefined : sum + end
}

/** word2number's own arithmetic: by how many words there are, not by what they say. */
function belowThousand(words: readonly string[]): number | undefined {
  const [a, b = 0, c = 0, d = 0] = words.map((word) => values.get(word) ?? NaN)
  if (a === undefined) return undefined
  switch (words.length) {
    case 4:
      return a * b + c + d
    case 3:
      return a * b + c
    case 2:
      return a === 100 || b === 100 ? a * b : a + b
    default:
      return a
  }
}
