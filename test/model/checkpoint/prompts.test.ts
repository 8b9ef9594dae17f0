import { describe, expect, test } from 'vitest'
import { choosePrompt } from '../../../src/model/checkpoint/prompts.ts'

const model = {
  prompts: {
    query: 'query: ',
    document: '',
    'SciFact-query': 'claim: ',
    STS: 'sts: ',
    'Retrieval-document': 'passage: ',
    own: 'own: ',
  },
  defaultName: undefined,
}
const scifact = { name: 'SciFact', type: 'Retrieval' }

describe('choosePrompt', () => {
  test('the task with its side comes before the task type, and that before the side', () => {
    expect(choosePrompt(model, { task: scifact, promptType: 'query' })).toBe('claim: ')
    expect(choosePrompt(model, { task: scifact, promptType: 'document' })).toBe('passage: ')
    expect(choosePrompt(model, { task: { name: 'XQuAD', type: 'Other' }, promptType: 'query' })).toBe('query: ')
    expect(choosePrompt(model, { task: { name: 'STS17', type: 'STS' } })).toBe('sts: ')
    const both = { ...model, prompts: { ...model.prompts, SciFact: 'science: ', Retrieval: 'retrieve: ' } }
    expect(choosePrompt(both, { task: scifact, promptType: 'query' })).toBe('claim: ')
    expect(choosePrompt(both, { task: scifact, promptType: 'document' })).toBe('science: ')
    expect(choosePrompt(both, { task: { ...scifact, name: 'NFCorpus' }, promptType: 'document' })).toBe('passage: ')
    expect(choosePrompt(both, { task: { ...scifact, name: 'NFCorpus' }, promptType: 'query' })).toBe('retrieve: ')
  })

  test('an empty prompt is none', () => {
    expect(choosePrompt(model, { promptType: 'document' })).toBeNull()
  })

  test('what the user names beats the model, a literal beats a name', () => {
    expect(choosePrompt({ ...model, name: 'own' }, { task: scifact, promptType: 'query' })).toBe('own: ')
    expect(choosePrompt({ ...model, name: 'own', literal: 'x ' }, { task: scifact })).toBe('x ')
    expect(choosePrompt({ ...model, literal: '' }, { promptType: 'query' })).toBeNull()
  })

  test('the default prompt is taken when nothing else is', () => {
    expect(choosePrompt({ ...model, defaultName: 'own' })).toBe('own: ')
    expect(choosePrompt({ ...model, defaultName: 'own' }, { promptType: 'query' })).toBe('query: ')
  })

  test('the default prompt never stands in for a side', () => {
    for (const promptType of ['query', 'document'] as const)
      expect(choosePrompt({ prompts: { own: 'own: ' }, defaultName: 'own' }, { task: scifact, promptType })).toBeNull()
  })

  test('an unknown prompt name is refused, prototype names included', () => {
    expect(() => choosePrompt({ ...model, name: 'quary' })).toThrow('no prompt of this name')
    expect(() => choosePrompt({ ...model, name: 'constructor' })).toThrow('no prompt of this name')
  })
})
