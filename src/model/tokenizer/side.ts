/** An end of a text: where tokens are cut off, or padding is put. */
export type Side = 'left' | 'right'
