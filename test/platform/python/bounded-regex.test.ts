import { describe, expect, test } from 'vitest'
import { boundedRegex, makeTimer, pythonRegex } from '#platform/python'

const endless = ['(a*)*b', '(a|a)*b', '(?:a+)+$', 'a*a*a*a*a*a*b', '(\\w+\\s?)*!']
const budget = { seconds: 0.1, inAll: 0.25 }

describe('a regular expression from outside', () => {
  test.each(endless)('%s ends within its budget', (pattern) => {
    const regex = boundedRegex(pattern, {}, budget)
    const text = `${'a'.repeat(3000)}?`
    for (const run of [
      () => regex.findAll(text),
      () => regex.sub('', text),
      () => regex.search(text),
      () => regex.fullMatch(text),
      () => regex.split(text),
    ]) {
      expect(run).toThrow(expect.objectContaining({ code: 'format.limit' }))
    }
  })

  test('is stopped sooner once slow texts have taken the time of all', () => {
    const timed = makeTimer('(a*)*b', { seconds: 60, inAll: 0.2 })
    const find = (): unknown => timed('', () => /(?:a*)*b/u.exec('a'.repeat(200)))
    for (let i = 0; i < 5; i++) expect(find).toThrow('takes too long')
  })

  test('finds what it finds without a budget, and throws what it throws', () => {
    const text = 'The answer is (B). #### 1,234 or #### 5'
    for (const pattern of ['#### (\\-?[0-9\\.\\,]+)', '(\\([A-Z]\\))', '(?s).*#### ', '\\d+', '(?:a|b)*'])
      expect([boundedRegex(pattern).findAll(text), boundedRegex(pattern).sub('_', text)]).toEqual([
        pythonRegex(pattern).findAll(text),
        pythonRegex(pattern).sub('_', text),
      ])
    expect(() => boundedRegex('(')).toThrow(/group/i)
    expect(() => makeTimer('(a)*')('', () => { throw new TypeError('own') })).toThrow(TypeError) // prettier-ignore
  })
})
