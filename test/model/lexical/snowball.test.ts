import { expect, test } from 'vitest'
import { snowballStemmer } from '../../../src/model/lexical/snowball.ts'

const declared =
  "stringescapes {} routines ( ends ) externals ( stem ) integers ( n ) groupings ( vowel )\ndefine vowel 'ae'"

test.each([
  ['the end of the text to the first vowel', 'define stem as ( [ gopast vowel ] delete )', 'xxabc', 'bc'],
  ['or before and, from left to right', "define stem as ( [ next ] 'x' or 'b' and 'bc' delete )", 'abc', 'bc'],
  ['and before or, from left to right', "define stem as ( [ next ] 'b' and 'x' or 'bc' delete )", 'abc', 'bc'],
  ['a number of letters that need two units', 'define stem as ( [ hop 2 ] delete )', '𐐨𐐩𐐪', '𐐪'],
  [
    'a limit that follows the text before it',
    "define stem as ( setlimit hop 2 for ( [ next ] delete ) do ( [ hop 4 ] <- 'x' ) )",
    'abcd',
    'bcd',
  ],
  ['a slice that is as long as what replaced it', "define stem as ( [ next ] <- 'xy' <- 'z' )", 'abc', 'zbc'],
  ['a slice that text is inserted before', "define stem as ( do ( [ hop 2 ] ) insert 'x' delete )", 'abc', 'xc'],
  ['a cursor within the slice', "define stem as ( do ( [ hop 3 ] ) next <- 'x' insert 'y' )", 'abcd', 'yxd'],
  ['text inserted behind the cursor, or before it', "define stem as ( insert 'x' insert 'y' attach 'z' )", 'a', 'xyza'],
  ['and backwards', "define stem as backwards ( insert 'x' insert 'y' attach 'z' attach 'w' )", 'a', 'azwyx'],
  ['a string named in braces', "stringdef s' '{U+0061}'\ndefine stem as ( [ '{s'}' ] <- '{'}' )", 'ab', "'b"],
])('%s', (_, program, word, stem) => {
  expect(snowballStemmer(`${declared} /* ' */ // '\n${program}`)(word)).toBe(stem)
})

test.each(['define stem as ( ? )', 'define stem as ( $n *= 2 )', 'define stem as ( ends )', "define stem as '{no}'"])(
  'a program that is not read is refused: %s',
  (program) => {
    expect(() => snowballStemmer(`${declared} ${program}`)('word')).toThrow(/^Snowball: /)
  },
)
