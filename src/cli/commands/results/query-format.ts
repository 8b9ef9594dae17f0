/** How the rows of a query may come out. */
export type QueryFormat = 'table' | 'csv' | 'json' | 'parquet'
