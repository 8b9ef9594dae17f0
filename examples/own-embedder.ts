// An embedder of your own – here a bag of letters – is asked the same questions as a model.
import { evaluateTask, findTasks, loadTask, openRepo, type Embedder } from 'strata-lm'

const letters = 'abcdefghijklmnopqrstuvwxyz '
const bagOfLetters: Embedder = {
  representation: 'bag-of-letters',
  width: letters.length,
  embed(texts) {
    const data = new Float32Array(texts.length * letters.length)
    texts.forEach((text, row) => {
      for (const letter of text.toLowerCase()) {
        const column = letters.indexOf(letter)
        if (column >= 0) data[row * letters.length + column] = (data[row * letters.length + column] ?? 0) + 1
      }
    })
    return Promise.resolve({ rows: texts.length, width: letters.length, data })
  },
}

const [task] = (await findTasks(['STS17'])).tasks
if (task === undefined) throw new Error('STS17 is not in the registry')
const loaded = await loadTask(task, {
  openDataset: (path, revision) => openRepo(`${path}@${revision}`, { type: 'dataset' }),
  subsets: ['en-en'],
  profile: 'mteb-2',
})
const { scores } = await evaluateTask(loaded, bagOfLetters)
export const score: number | null = scores['test']?.[0]?.main_score ?? null
console.log(`letters alone give ${score?.toFixed(4)} on STS17 en-en`)
