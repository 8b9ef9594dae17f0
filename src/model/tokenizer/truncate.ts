/** How many tokens of each text stay; the arithmetic of `truncate_encodings` in Hugging Face tokenizers 0.23. */
import { fault } from '#core'
import type { PairTruncation } from './tokenizer.ts'

/** Lengths to which texts of `first` and `second` tokens are cut to share `room` tokens. */
export function pairLengths(
  first: number,
  second: number,
  room: number,
  strategy: PairTruncation,
  place: string,
): readonly [number, number] {
  const excess = first + second - room
  if (excess <= 0) return [first, second]
  if (room === 0) return [0, 0]
  switch (strategy) {
    case 'longest_first': {
      const [short, long] = shorten(Math.min(first, second), room)
      return first > second ? [long, short] : [short, long]
    }
    case 'only_first':
      if (first <= excess) throw tooShort(place, strategy, first, excess)
      return [first - excess, second]
    case 'only_second':
      if (second <= excess) throw tooShort(place, strategy, second, excess)
      return [first, second - excess]
    default:
      return strategy satisfies never
  }
}

/** The shorter text stays whole while the longer one can make room for it; then both get half. */
function shorten(shorter: number, room: number): readonly [number, number] {
  const longer = shorter > room ? shorter : Math.max(shorter, room - shorter)
  if (shorter + longer <= room) return [shorter, longer]
  const half = Math.floor(room / 2)
  return [half, half + (room % 2)]
}

function tooShort(place: string, strategy: PairTruncation, length: number, excess: number) {
  return fault('usage.value', {
    place,
    what: `truncation ${strategy} cannot make the pair short enough`,
    seen: `${length} tokens to cut from`,
    wanted: `more than ${excess}`,
    hint: 'use longest_first, or a larger maxLength',
  })
}
