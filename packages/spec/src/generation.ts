/** Every warning code with its meaning; messages add names and what to do. */
export const WARNINGS = {
  NAME_COLLISION: 'two columns, tables or models came to the same name; the later one got a number',
  NAME_REPLACED: 'a name had no letter or digit that a plain name can keep',
  NAME_SHORTENED: 'a name was longer than the warehouse allows and was cut, with a hash',
  COLUMN_LEFT_OUT: 'a column of the source is not in the model',
  COMPOSITE_KEY_WITHOUT_PACKAGE:
    'a key of several columns is tested by an expression, because dbt_utils is not among the packages',
  KEY_UNKNOWN: 'nothing tells what identifies a row, so duplicates that the loader leaves stay',
  PARENT_NOT_STAGED: 'a foreign key is not tested: its parent has no model in the run or the project',
  FOREIGN_KEY_NOT_TESTABLE:
    'a foreign key has several columns, which dbt cannot test without a package, or a name that dbt would run',
  VALUES_NOT_TESTABLE: 'a list of values holds text that dbt would run, so it is not tested',
  TYPE_UNKNOWN: 'a column type is in no table of the dialect; the column is passed through',
  BACKEND_FAILED: 'the backend gave no usable answer; names, descriptions and tests are those of the rules',
  CONFIG_NOT_USED: 'the configuration names a schema, table or column that is not there',
  TABLE_LEFT_OUT:
    'a table of a whole schema was passed over: it has no columns, or a loader keeps it for itself',
} as const

export type WarningCode = keyof typeof WARNINGS

/** Something the author of the model should know. It never means that the output is wrong. */
export interface Warning {
  readonly code: WarningCode
  readonly message: string
  /** The column as stored, when the warning is about one. */
  readonly column?: string
}

/** A file to write, with `/` in its path and `\n` at its line ends on every machine. */
export interface GeneratedFile {
  readonly path: string
  readonly content: string
  /** What stands in it: the names of its models, or of the tables of its sources. */
  readonly covers: readonly string[]
}

/** What one generation answers: the `data` of the success envelope, and the files. */
export interface Generation {
  /** The SQL of the model. */
  readonly code: string
  /** The YAML of the model: `version:` and a list of models. */
  readonly schema: string
  /** The distinct names of the generic tests in `schema`, sorted. */
  readonly tests: readonly string[]
  readonly warnings: readonly Warning[]
  /** The model, its YAML and the sources YAML, as files of a dbt project, sorted by path. */
  readonly files: readonly GeneratedFile[]
}
