/** Every warning code with its meaning. Messages add names and a remedy. */
export const WARNINGS = {
  NAME_COLLISION: 'two columns, tables or models got the same name; a number was added to the later one',
  NAME_REPLACED: 'a name has no letter or digit that a plain name can keep',
  NAME_SHORTENED: 'a name is longer than the warehouse allows; it was cut and got a hash',
  COLUMN_LEFT_OUT: 'a column of the source is not in the model',
  STRUCT_NOT_FLATTENED: 'a struct should become one column for each field, but stays one column',
  COMPOSITE_KEY_WITHOUT_PACKAGE:
    'a key of several columns is tested by an expression, because dbt_utils is not among the packages',
  RANGE_WITHOUT_PACKAGE: 'a configured range is not tested, because dbt_utils is not among the packages',
  KEY_UNKNOWN: 'the key of a table is unknown, so duplicates from the loader stay',
  KEYS_NOT_TESTED: 'models of the run have no test of a key; one warning counts them all',
  COLUMN_GONE: 'a model of the project reads a column that the warehouse no longer has',
  VALUES_CHANGED: 'a column of the project keeps its name but gets other values',
  COLUMN_NOT_SELECTED: 'a person tests a column that the SQL of the model does not select',
  COLUMN_NAME_TAKEN:
    'a new column of a table is not selected: a person gave its name to another column of the model',
  MODEL_STILL_READ: 'a model stays although its table is gone, because another model of the project reads it',
  SOURCE_STILL_READ:
    'a source entry stays although its table is gone or renamed, because something besides its model reads it',
  COLUMN_STILL_READ:
    'something in the project reads a column by a name that a model no longer has, or will lose',
  TABLE_RENAMED: 'a table is gone and a new one has its columns and keys, so its model reads the new one',
  HAND_EDIT_KEPT:
    'a test, description or entry that a person wrote stays, although a different one is generated now',
  JOINS_NOT_READ:
    'the repository of a project could not be read, so a scan with a profile has no evidence from joins',
  TABLE_NOT_PROFILED: 'the rows of a table could not be read, so only its names are evidence',
  COLUMNS_NOT_PROFILED: 'columns of a table could not be read, so only their names are evidence',
  TABLE_TOO_LARGE: 'a table is larger than the limit, so only its names are evidence',
  PARENT_NOT_STAGED: 'a foreign key is not tested: its parent has no model in the run or the project',
  FOREIGN_KEY_NOT_TESTABLE:
    'a foreign key has several columns, which dbt cannot test without a package, or a name that dbt would run',
  VALUES_NOT_TESTABLE: 'a list of values holds text that dbt would run, so it is not tested',
  TYPE_UNKNOWN: 'the dialect does not know the type of a column; the column is passed through',
  CONVERSION_NOT_POSSIBLE:
    'the configuration asks for a conversion that the type of a column or the dialect does not support; the column keeps its type',
  CONVERSION_NOT_NEEDED: 'the configuration asks for a conversion that a column, by its type, does not need',
  VALUES_NOT_KEPT:
    'a language model gave a column an expression or conversion that changes values or rests on a guess; the message says which',
  BACKEND_FAILED:
    'the language model gave no usable answer; names, descriptions and tests come from the rules',
  EDIT_NOT_USED: 'a proposal of the language model failed a check; the rules decide that part',
  CONFIG_NOT_USED:
    'the configuration names a schema, table or column that does not exist, or a folder that dbt does not read',
  TABLE_LEFT_OUT:
    'a table of a whole schema was left out: none of its columns are known, or a loader uses it internally',
  INVISIBLE_CHARACTERS:
    'a name, comment or value has invisible characters; YAML shows them as escapes, SQL contains names unchanged',
  CATALOG_PARTLY_READ: 'a part of the catalog is missing, unreadable or unknown; everything else was read',
  PROJECT_PARTLY_READ:
    'a file or folder of the dbt project cannot be read, so its content is unknown; everything else was read',
  DDL_SKIPPED: 'a clause or statement of a script was not understood and skipped; everything else was read',
  DIALECT_ASSUMED: 'nothing states the dialect of a script, so the named one was assumed',
} as const

export type WarningCode = keyof typeof WARNINGS

/** A point that the author of the model should know. It never means that the output is wrong. */
export interface Warning {
  readonly code: WarningCode
  readonly message: string
  /** The stored name of the column that the warning is about. */
  readonly column?: string
}

/** A file to write, with `/` in its path and `\n` as line ends on every machine. */
export interface GeneratedFile {
  readonly path: string
  readonly content: string
  /** The names of its models, or of the tables of its sources. */
  readonly covers: readonly string[]
}

/** The result of one generation: the `data` of the success envelope, and the files. */
export interface Generation {
  /** The SQL of the model. */
  readonly code: string
  /** The YAML of the model: `version:` and a list of models. */
  readonly schema: string
  /** The distinct names of the generic tests in `schema`, sorted. */
  readonly tests: readonly string[]
  readonly warnings: readonly Warning[]
  /** The model, its YAML and the sources YAML as files of a dbt project, sorted by path. */
  readonly files: readonly GeneratedFile[]
}
