/** Classes of the Python package `regex`, which NLTK 3.10 matches with; those of Python's own `re` differ. */

/** `\s`, as a class's inside: without the separators 1c to 1f that `re` adds. */
export const space = String.raw`\t-\r\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`

/** `\w`: with the marks that `re` leaves out, without its fractions and superscripts. */
export const wordCharacter = String.raw`[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]`
