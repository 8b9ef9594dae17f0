/** Every limit on input from strangers, with its reason. Nothing real comes near them. */

/** Safetensors header: the reference implementation refuses more (100 MB). */
export const MAX_SAFETENSORS_HEADER = 100_000_000

/**
 * Values in such a header, eight for a matrix: 250,000 tensors in one file. The largest published models have some
 * 150,000 over hundreds of files.
 */
export const MAX_SAFETENSORS_VALUES = 2_000_000

/**
 * Header of a GGUF file, which holds the tokenizer: the largest vocabularies in use, with their merges, take some 20 MB
 * and 1,000,000 values.
 */
export const MAX_GGUF_HEADER = 256 * 2 ** 20
export const MAX_GGUF_VALUES = 8_000_000

/** Dimensions of one tensor: the larger of numpy's and torch's own limits. */
export const MAX_RANK = 64

/** Nesting of JSON: deeper than any config, table or result; far below what recursion allows. */
export const MAX_JSON_DEPTH = 256

/** Nesting of YAML: real files stay below 20. */
export const MAX_YAML_DEPTH = 64

/** Characters of one JSON number: enough for any double or 64-bit integer; big integers cost quadratic time. */
export const MAX_NUMBER_LENGTH = 1_000

/**
 * Header of an .npy file: numpy itself distrusts more than 10,000 characters; structured types, refused anyway, are the
 * only long ones.
 */
export const MAX_NPY_HEADER = 65_536

/** Entries of a zip: one a storage; the largest models published have some tens of thousands of tensors. */
export const MAX_ZIP_ENTRIES = 262_144

/** A deflated entry may grow by this factor (deflate itself ends at 1032) … */
export const MAX_INFLATE_RATIO = 200

/** … or to this size whatever the factor: compressed zeros are legitimate when small. */
export const MAX_INFLATE_FLOOR = 16 * 2 ** 20

/** Bytes of a view with more elements than its storage holds (stride 0): real ones are position ids and masks. */
export const MAX_EXPANDED_BYTES = 64 * 2 ** 20

/** One name, key or global inside a pickle: longer text is kept by reference, never decoded. */
export const MAX_PICKLE_TEXT = 65_536

/**
 * Values, marks and memo entries of the pickles in one file, since one byte of them takes up to 260 in memory. A tensor
 * needs 29 to 44 (counted in every format of torch's):
 * room for 45,000 tensors and more in a file.
 */
export const MAX_PICKLE_VALUES = 2_000_000

/** Bytes of one pickled integer: 64 bits are meant; big integers cost quadratic time. */
export const MAX_PICKLE_INTEGER = 64

/** Shards of one checkpoint: the largest published has a few hundred. */
export const MAX_SHARDS = 10_000

/**
 * YAML text and its lexical parts: the longest real ones list thousands of subsets in a data set card; the parser takes
 * up to 10 µs and some hundred bytes for a part.
 */
export const MAX_YAML_LENGTH = 4 * 2 ** 20
export const MAX_YAML_PARTS = 500_000

/**
 * Aliases of one YAML document, and what each may repeat: stops the billion laughs, and resolving one alias costs a
 * walk over the document.
 */
export const MAX_YAML_ALIASES = 1_000
