/** Output formats of a query. */
export type QueryFormat = 'table' | 'csv' | 'json' | 'parquet'
