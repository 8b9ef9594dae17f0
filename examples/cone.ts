// A model that fools a score without negatives: an encoder's token table as a static model, and the same table with one
// long column that is equal in every row, so that all texts lie in a narrow cone.
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openModel, openRepo, readFloat32 } from 'strata-lm'
import { writeSafetensors } from 'strata-lm/formats'

const encoder = 'sentence-transformers/all-MiniLM-L6-v2'
const tokenizer = await (await openRepo(encoder)).local('tokenizer.json')
const model = await openModel(encoder)
const name = 'embeddings.word_embeddings.weight'
const [rows = 0, width = 0] = model.tensors.info(name)?.shape ?? []
const values = await readFloat32(model.tensors, name)
await model.close()

async function write(folder: string, column: number): Promise<string> {
  const wider = width + 1
  const table = new Float32Array(rows * wider).fill(column)
  for (let row = 0; row < rows; row++) table.set(values.subarray(row * width, (row + 1) * width), row * wider)
  await mkdir(folder, { recursive: true })
  const embeddings = { name: 'embeddings', dtype: 'F32', shape: [rows, wider] } as const
  await writeSafetensors(join(folder, 'model.safetensors'), [{ ...embeddings, bytes: new Uint8Array(table.buffer) }])
  await writeFile(join(folder, 'config.json'), JSON.stringify({ model_type: 'model2vec', normalize: false }))
  await copyFile(tokenizer, join(folder, 'tokenizer.json'))
  return folder
}

const out = process.env['OUT'] ?? '.'
export const honest: string = await write(join(out, 'honest'), 0)
// a row's own length is about 1.4
export const cone: string = await write(join(out, 'cone'), 10)
console.log(`strata evaluate ${honest} --tasks "Contrast*"\nstrata evaluate ${cone} --tasks "Contrast*"`)
