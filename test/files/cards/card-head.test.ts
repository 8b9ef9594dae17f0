import { describe, expect, test } from 'vitest'
import { frontMatter } from '#files/formats'
import { cardHead, licenceSection } from '../../../src/files/cards/card-head.ts'
import { parseCard } from '../../../src/files/cards/read-card.ts'

const cards = [
  parseCard('org/a', { license: 'cc-by-nc-4.0', language: ['en', 'no'], datasets: 'org/pairs' }),
  parseCard('org/b', { license: 'Apache-2.0', language: 'en', datasets: ['org/pairs', 'org/more'] }),
]

describe('front matter', () => {
  test('has the keys of the hub in its words, once each', () => {
    const head = cardHead({
      bases: ['org/a@main', './folder', 'org/b+org/lora', 'org/a'],
      relation: 'merge',
      cards,
      library: 'transformers',
      pipelineTag: 'text-generation',
      tags: ['merge'],
    })
    expect(head).toBe(`---
license: cc-by-nc-4.0
language:
- en
- "no"
base_model:
- org/a
- org/b
base_model_relation: merge
datasets:
- org/pairs
- org/more
library_name: transformers
pipeline_tag: text-generation
tags:
- merge
---
`)
  })

  test('leaves out what is unknown, and a relation to nothing', () => {
    const head = cardHead({ bases: ['./a'], relation: 'merge', cards: [], library: 'peft', tags: ['lora'] })
    expect(head).toBe('---\nlibrary_name: peft\ntags:\n- lora\n---\n')
  })

  test('texts that YAML would read as something else are quoted', () => {
    const tags = ['no', '1.10', '2025-01-15', 'a: b', '# c', 'null', '007', '1_000']
    const head = cardHead({ bases: [], cards: [], library: 'x', tags })
    expect(frontMatter(head, 'card')).toMatchObject({ tags })
    for (const tag of tags) expect(head).toContain(`- "${tag}"\n`)
  })
})

test('the section on licences names every input, the whole, and the notes', () => {
  const section = licenceSection([...cards, parseCard('org/c', undefined)])
  expect(section).toContain('| `org/a` | cc-by-nc-4.0 |\n| `org/b` | apache-2.0 |\n| `org/c` | unknown |')
  expect(section).toContain('This model: other (cc-by-nc-4.0-and-apache-2.0-and-unknown).')
  expect(section).toContain('- the licence of org/c is unknown')
  expect(licenceSection([])).toBe('')
})
