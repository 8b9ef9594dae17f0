/**
 * Files of tensors and of rows: safetensors, torch's .bin, npy and npz; jsonl, csv, tsv, parquet, plain text. Tensors
 * are read by range, nothing in a file is executed, and a file appears under its name only when it is whole.
 *
 * @module formats
 */
export type { Dtype, RepoFiles, TensorInfo, TensorSource } from '#core'
export {
  createNpyWriter,
  createSafetensorsWriter,
  type NpyWriter,
  openTensors,
  openTensorSet,
  type OpenTensorsOptions,
  readFloat32,
  type SafetensorsWriter,
  type TensorLayout,
  type TensorSetOptions,
  writeNpy,
  writeSafetensors,
} from '#files/formats'
export {
  type Batch,
  type BatchOptions,
  createTableWriter,
  readBatches,
  readColumns,
  type ReadOptions,
  readTexts,
  type TableColumn,
  type TableRow,
  type TableWriter,
  type TextOptions,
  type TextRow,
  type TextSource,
} from '#files/tables'
