/**
 * static: tables of one vector per token, read as model2vec and sentence-transformers read them.
 *
 * In: a table, its tokenizer. Out: vectors of texts.
 * Never: a layer, a cache.
 */
export {
  type Config,
  count,
  fieldOf,
  flag,
  folderFiles,
  folderNamed,
  isObject,
  optionalCount,
  optionalObject,
  optionalText,
  readConfigFile,
  readListFile,
  wrong,
} from './module-files.ts'
export { openStatic } from './static-table.ts'
