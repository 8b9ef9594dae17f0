// Which state is best at a task? Scores in mteb's schema, written to results/ and found again the next time.
import { evaluate, openModel } from 'strata-lm'

const model = await openModel('sentence-transformers/all-MiniLM-L6-v2')
const results = await evaluate(model, {
  tasks: ['STS17'],
  subsets: ['en-en'],
  representations: ['h1', 'h3', 'default'],
  outputFolder: process.env['RESULTS'] ?? 'results',
})
await model.close()

export const scores: Record<string, number | null> = Object.fromEntries(
  results.map(({ strata, scores }) => [strata.representation, scores?.['test']?.[0]?.main_score ?? null]),
)
console.log(scores)
