/** A retrieval task of three queries and three documents. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const documents = {
  cats: { title: 'Cats', text: 'Cats sleep for most of the day, and a cat that sleeps is happy.' },
  dogs: { title: 'Dogs', text: 'Dogs bark; a barking dog is not a sleeping cat.' },
  bread: { title: '', text: 'Bread is baked from dough.' },
}
const queries = { q1: 'when do cats sleep', q2: 'baking bread', q3: 'a dog barks at a cat' }

/** Written as a BEIR folder; its path. */
export async function writePets(folder: string): Promise<string> {
  const path = join(folder, 'pets')
  await mkdir(join(path, 'qrels'), { recursive: true })
  const lines = (rows: object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  await writeFile(
    join(path, 'corpus.jsonl'),
    lines(Object.entries(documents).map(([id, one]) => ({ _id: id, ...one }))),
  )
  await writeFile(join(path, 'queries.jsonl'), lines(Object.entries(queries).map(([_id, text]) => ({ _id, text }))))
  await writeFile(
    join(path, 'qrels', 'test.tsv'),
    'query-id\tcorpus-id\tscore\nq1\tcats\t1\nq2\tbread\t1\nq3\tdogs\t1\n',
  )
  return path
}
