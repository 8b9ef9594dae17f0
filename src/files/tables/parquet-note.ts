/** Metadata of a parquet file: the texts that writers store next to the schema. */
import { resolve } from 'node:path'
import { Fault } from '#core'
import { checkFile, readFault } from './check-file.ts'
import { connect, fileLiteral, literal } from './database.ts'

/** The text under a key of the file's metadata; undefined when there is none. Throws `table.read`. */
export async function parquetNote(path: string, key: string, place: string = path): Promise<string | undefined> {
  await checkFile({ path, place, packing: 'none' })
  const { connection } = await connect()
  try {
    const found = await connection.runAndReadAll(
      `SELECT decode(value) FROM parquet_kv_metadata(${fileLiteral(resolve(path))}) WHERE decode(key) = ${literal(key)}`,
    )
    const [value] = found.getRows()[0] ?? []
    return typeof value === 'string' ? value : undefined
  } catch (error) {
    throw error instanceof Fault ? error : readFault(error, place)
  } finally {
    connection.closeSync()
  }
}
