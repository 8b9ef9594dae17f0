/**
 * What a writer of tables promises, whatever the format: rows in order, bounded memory, a file that is whole or absent.
 */

/** `integer` is 64 bits, `number` a double, `vector` a list of float32 (`FLOAT[]` in parquet). */
export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'vector'

export interface TableColumn {
  readonly name: string
  readonly type: ColumnType
}

/** Values by column name; a missing one is null. Vectors are Float32Arrays or arrays of numbers, of any width. */
export type TableRow = Readonly<Record<string, unknown>>

export interface TableWriter {
  /**
   * One call at a time. Throws `table.column` for a value of another type or a column that was not declared,
   * `file.write`.
   */
  append(rows: readonly TableRow[]): Promise<void>
  /** Writes the remaining rows and gives the file its name. */
  finish(): Promise<void>
  /** Leaves nothing behind. */
  abort(): Promise<void>
}
