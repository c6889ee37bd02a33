import type { ErrorCode } from './errors.ts'
import type { WarningCode } from './generation.ts'

/** The text about a code, for the docs and for `stagecraft explain`. Plain text; names of options in backticks. */
export interface Explanation {
  readonly cause: string
  readonly remedy: string
}

/** Explains every warning; its meaning is in `WARNINGS`. */
export const WARNING_EXPLANATIONS = {
  NAME_COLLISION: {
    cause:
      'Two columns of a table, two tables of a dbt source, or two models of a run got the same name, often because they differ only in case or in characters that a plain name cannot hold. The first one keeps the name; in a project with a `stagecraft.lock`, the one that had it before.',
    remedy:
      'Give one of them a different name: `columns.<column>.name`, `tables.<table>.name` or `tables.<table>.model` in `stagecraft.yml`. Exclude the one you do not need with `exclude: true`.',
  },
  NAME_REPLACED: {
    cause: 'The stored name has only characters that a plain name cannot keep, such as symbols.',
    remedy: 'Choose a name with `columns.<column>.name` or `tables.<table>.name` in `stagecraft.yml`.',
  },
  NAME_SHORTENED: {
    cause:
      'The name is longer than the warehouse allows. It is cut, and a hash at its end distinguishes it from others.',
    remedy:
      'Choose a shorter name with `columns.<column>.name` or `tables.<table>.model` in `stagecraft.yml`.',
  },
  COLUMN_LEFT_OUT: {
    cause: '`stagecraft.yml` excludes the column, or `metadataColumns` leaves out the columns of the loader.',
    remedy: 'Nothing, if that is intended. Otherwise remove `exclude: true`, or set `metadataColumns: keep`.',
  },
  STRUCT_NOT_FLATTENED: {
    cause:
      'With `flatten: one level`, each field of a struct becomes a column. This requires a type that states every field with its type, field names that differ, and a column that is not part of a key and does not have the name of a part of the model.',
    remedy: 'Select the fields by hand, or set `flatten: none` for this column to keep it whole.',
  },
  COMPOSITE_KEY_WITHOUT_PACKAGE: {
    cause:
      'A key has several columns, and `dbt_utils` is not among the packages of the project. Instead, an expression over its columns tests the key.',
    remedy:
      'Add `dbt-labs/dbt_utils` to `packages.yml`, or name it under `packages` in `stagecraft.yml`, for the test `unique_combination_of_columns`. The expression is equivalent.',
  },
  RANGE_WITHOUT_PACKAGE: {
    cause:
      '`stagecraft.yml` gives a column a `range`, and `dbt_utils` is not among the packages of the project. dbt itself has no test for bounds, so none is written.',
    remedy:
      'Add `dbt-labs/dbt_utils` to `packages.yml`, or name it under `packages` in `stagecraft.yml`, for the test `accepted_range`.',
  },
  KEY_UNKNOWN: {
    cause:
      'The loader may append several versions of a row, and nothing says which columns identify a row. The model keeps all versions.',
    remedy:
      'Name the key: `tables.<table>.key: [id]` in `stagecraft.yml`. If the loader merges rows, set `loadMode: merge`.',
  },
  KEYS_NOT_TESTED: {
    cause:
      'No constraint, comment, data or name says which columns identify a row of these models, so no test checks it.',
    remedy:
      'Name the key: `tables.<table>.key: [id]` in `stagecraft.yml`, or declare a primary key in the warehouse.',
  },
  COLUMN_GONE: {
    cause:
      'The warehouse dropped or renamed a column. Nothing is removed from a project without a request, so the model still reads the column, and dbt fails.',
    remedy:
      'Run `stagecraft apply --prune`, which removes the generated code of the column but keeps what you wrote about it. Or fix the model by hand.',
  },
  TABLE_RENAMED: {
    cause:
      'A followed table disappeared, and a new table has the same columns and keys, so it was probably renamed. Its models, tests and descriptions stay, and `identifier` in the sources file names the new table.',
    remedy:
      'Nothing, if it was renamed. If it is another table, run `stagecraft forget` on the old one before `stagecraft apply`.',
  },
  VALUES_CHANGED: {
    cause:
      'The expression of a column changed, but its name did not. Most likely `as` changed in the configuration, and the name is also set there or does not mention the unit. dbt still builds everything that reads the column, but with other values. Or the type of a converted column changed in the warehouse, and its conversion in the configuration did not.',
    remedy:
      'If the type changed, check the stored values, and remove `as` if it no longer describes them. Otherwise check the models, tests and dashboards that read the column. To make them fail instead, give the column another name with `columns.<column>.name`.',
  },
  COLUMN_NOT_SELECTED: {
    cause:
      'A person wrote tests for a column that the SQL of the model does not select. Generated entries follow the names in the SQL; those that a person wrote or changed stay. dbt fails on such a test.',
    remedy: 'Give the column its new name in the properties, or remove its entry there.',
  },
  COLUMN_NAME_TAKEN: {
    cause:
      'The warehouse has a new column, and the SQL of the model, as a person wrote it, computes a column of the same name. A model cannot have both, so the new column is not selected.',
    remedy:
      'Give the computed column another name in the SQL, or name the raw one: `tables.<table>.columns.<column>.name` in `stagecraft.yml`; then add it to the select list.',
  },
  MODEL_STILL_READ: {
    cause:
      'A table is gone, and something in the project reads its model with `ref`: another model, a test, an exposure. dbt refuses a project in which a model is missing, so `--prune` keeps the model. Every plan repeats this warning until nothing reads it.',
    remedy:
      'Change the places that the warning names so that they no longer read the model, and run `stagecraft apply --prune` again. To remove it at once, delete its file.',
  },
  SOURCE_STILL_READ: {
    cause:
      'A table is gone or has another name in dbt, and something in the project besides its generated model reads it with `source`: a model, a snapshot, a test, an analysis, a macro, an exposure. dbt refuses a project in which the entry of a source is missing, so the entry stays. For a table that is gone, every plan repeats this warning until nothing reads it.',
    remedy:
      'Change the places that the warning names so that they no longer read the table by that name. If the table is gone, run `stagecraft apply --prune` again; if it has another name, delete its former entry.',
  },
  COLUMN_STILL_READ: {
    cause:
      'A raw column was renamed or dropped, or the configuration gives it another name, and the generated model follows. Another model, a test, an analysis, a macro, or a reference or unit test in the properties still reads the column by its former name, and dbt fails there. Every plan repeats this warning until nothing reads it.',
    remedy:
      'Change the places that the warning names, or keep the former name: `tables.<table>.columns.<column>.name` in `stagecraft.yml`, or in the SQL of the model.',
  },
  HAND_EDIT_KEPT: {
    cause:
      'A person changed a generated test or description in the properties, and a different one would be generated now, because the configuration, the table or the version changed. Or a person changed the entry of a model that `--prune` removes. Their text stays.',
    remedy:
      'If the generated text is better, change it by hand. If a model has a new name, move the rest of its old entry to the new one.',
  },
  JOINS_NOT_READ: {
    cause:
      'A scan with `profile` looks for joins in the SQL of the project, which are evidence for references. Its repository could not be read: it has no dbt project, its branch is gone, or the server did not answer.',
    remedy:
      'Fix the problem that the message names, and scan again. Without joins, names and rows are the evidence.',
  },
  TABLE_NOT_PROFILED: {
    cause:
      'The warehouse refused a query over the rows of this table: a permission is missing, a view is broken, or it took too long. Or the file of `--profile-from` has no answers about it.',
    remedy:
      'Grant `select` on the table, or fix the view; run the statements that `stagecraft profile --print-sql` prints. The other tables are not affected.',
  },
  COLUMNS_NOT_PROFILED: {
    cause:
      'The warehouse refused a query over the rows of this table, but not without the named columns: their permission is missing. The other columns were read.',
    remedy: 'Grant `select` on the columns. Otherwise nothing is lost but the evidence of their values.',
  },
  TABLE_TOO_LARGE: {
    cause:
      'The table has more rows than `--max-rows` allows, or takes more space than `--max-bytes` allows, so its rows were not read.',
    remedy:
      'Raise the limit, or name the key: `tables.<table>.key` in `stagecraft.yml`. The other tables are not affected.',
  },
  PARENT_NOT_STAGED: {
    cause:
      'The foreign key points to a table that has no model in this run or in the project, or to a column that its hand-written model does not select.',
    remedy:
      'If there is no model, generate the parent in the same run: name both tables, or the whole schema. If a person wrote the model, run `stagecraft adopt` on its file, or list its columns in its properties.',
  },
  FOREIGN_KEY_NOT_TESTABLE: {
    cause:
      'The foreign key has several columns, which the test `relationships` of dbt does not support, or the name of the column holds text that dbt would run as Jinja.',
    remedy:
      'Write a singular test for it in `tests/` if you need one. For a name with Jinja, rename the column.',
  },
  VALUES_NOT_TESTABLE: {
    cause:
      'A value in the list holds text that dbt would run as Jinja, so the test `accepted_values` is left out.',
    remedy: 'Write a singular test for the column, or correct the value at its source.',
  },
  TYPE_UNKNOWN: {
    cause: 'The type of the column is unknown in the dialect. The column is selected without a conversion.',
    remedy:
      'Check that `dialect` names the warehouse that the types come from. State the meaning of the column with `columns.<column>.as` in `stagecraft.yml`.',
  },
  CONVERSION_NOT_POSSIBLE: {
    cause:
      '`columns.<column>.as` in `stagecraft.yml` names a conversion that does not exist for the type of the column in this dialect: a date cannot become `cents`. Everything else about the table is as configured.',
    remedy:
      'Use one of the conversions that the message lists, or remove `as`. If the type in the warehouse is the mistake, correct it there.',
  },
  CONVERSION_NOT_NEEDED: {
    cause:
      '`columns.<column>.as` in `stagecraft.yml` names a conversion, but the type of the column shows that its values are already converted: a boolean needs no `boolean`, a timestamp no `epoch_seconds`. Numbers with decimal places are usually whole units of money, so `cents` would make them 100 times too small.',
    remedy:
      'Remove `as` from the column. If decimals are cents, keep `as: cents`; the warning stays as a reminder.',
  },
  VALUES_NOT_KEPT: {
    cause:
      'A language model proposed an expression or a conversion that loses something of the values, such as nulls, the time of day or upper and lower case, or that takes a number for seconds without evidence. The message says which.',
    remedy:
      'Check the expression in the model. Set the conversion yourself with `columns.<column>.as` in `stagecraft.yml`.',
  },
  BACKEND_FAILED: {
    cause:
      'The language model gave no usable answer for the table; the message has the reason. Names, descriptions and tests come from the rules.',
    remedy:
      'Run again: usable answers come from the cache and cost nothing. Use `--on-failure error` to stop instead.',
  },
  EDIT_NOT_USED: {
    cause:
      'The language model proposed something for a column or the table that failed a check. The rules decide that part. An expression may only call functions that give the same value for the same columns.',
    remedy:
      'Nothing is wrong with the output. To decide the part yourself, set `name`, `description` or `as` of the column in `stagecraft.yml`.',
  },
  CONFIG_NOT_USED: {
    cause:
      '`stagecraft.yml` names a schema, table or column that does not exist. Most often the name is misspelled, or the table was renamed. Or it names a folder that is outside of `model-paths` or `snapshot-paths`, where dbt reads no file.',
    remedy:
      'Correct the name, or remove the entry. Names are written as the warehouse stores them. Move the folder below one that dbt reads, or add it to `dbt_project.yml`.',
  },
  TABLE_LEFT_OUT: {
    cause:
      'A whole schema was requested, and this table was left out: none of its columns are known, or a loader uses it internally.',
    remedy:
      'Request the table by its name to generate it anyway. Set `exclude: true` for the table to silence the warning.',
  },
  INVISIBLE_CHARACTERS: {
    cause:
      'A name, a comment or a value has invisible characters, such as zero-width spaces. YAML shows them as escapes; SQL contains names unchanged.',
    remedy: 'Remove the characters at their source, unless they are intended.',
  },
  CATALOG_PARTLY_READ: {
    cause:
      'A part of the catalog is missing, unreadable or unknown; the message names it. Everything else was read.',
    remedy:
      'For dbt artifacts run `dbt docs generate`. For a columns file, correct the headers that the message names. Otherwise there is nothing to do.',
  },
  PROJECT_PARTLY_READ: {
    cause:
      'The message names a file or folder of the dbt project: it is not valid YAML or UTF-8, its permissions forbid reading it, or it is a link that leads back to itself. The plan is made without it, and may repeat its declarations.',
    remedy: 'Correct the file, its permissions or the link. dbt itself fails on most of these problems.',
  },
  DDL_SKIPPED: {
    cause: 'A clause or statement of a SQL file was not understood; the message has file, line and words.',
    remedy:
      'Check that the columns of the table are complete. If the file is in another dialect, name it: `schema.sql?dialect=redshift`.',
  },
  DIALECT_ASSUMED: {
    cause:
      'Nothing states the dialect of the SQL file, so it was inferred from the signs that the message names.',
    remedy:
      'Name it to be sure: `schema.sql?dialect=snowflake`, or a line `-- dialect: snowflake` at the top.',
  },
} as const satisfies Readonly<Record<WarningCode, Explanation>>

/** Explains every error code. */
export const ERROR_EXPLANATIONS = {
  UNAUTHORIZED: {
    cause: 'The request has no valid API key: it is missing, unknown, expired or revoked.',
    remedy:
      'Send `Authorization: Bearer <key>` once. The command line takes the key from `STAGECRAFT_API_KEY`. `stagecraft keys create` creates a new one.',
  },
  FORBIDDEN: {
    cause: 'The key is valid but lacks the scope of the operation, or does not belong to a project.',
    remedy:
      'Use a key with the scope that the message names: `stagecraft keys create ci --scopes generate,read`.',
  },
  NOT_FOUND: {
    cause: 'There is no such path or resource, or it belongs to another project.',
    remedy: 'Check the id and the project of the key. `details.faults` names the id that was not found.',
  },
  RATE_LIMITED: {
    cause: 'The key sent more requests than its limit allows.',
    remedy:
      'Wait for the seconds in `Retry-After`; the client does so automatically. The operator can raise the limit with `--rate-limit`.',
  },
  INVALID_REQUEST: {
    cause:
      'Something in the request, the arguments or a file is invalid. All faults are listed at once, each with its path, the expected and the received value.',
    remedy: 'Correct every fault that the message lists.',
  },
  INVALID_SOURCE: {
    cause: 'The catalog has no such table, or the name matches several tables.',
    remedy:
      'Use one of the suggested names, or list the tables with `stagecraft tables`. Quote parts whose case matters.',
  },
  GENERATION_FAILED: {
    cause:
      'The code could not be generated, or did not pass its checks: a template printed invalid SQL or YAML, the language model gave no usable answer, or the time limit was reached. Nothing was written.',
    remedy:
      'Read the reason in the message. For a template, correct it; for a language model, run again or drop `--on-failure error`. Report a failure that has no reason.',
  },
  CONNECTION_FAILED: {
    cause:
      'A warehouse, file, Git remote or service could not be reached or read; `details.reason` says why.',
    remedy: 'Check host, port, user and password as the message suggests, then try again.',
  },
} as const satisfies Readonly<Record<ErrorCode, Explanation>>
