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
      'Two columns of a table, two tables of a dbt source, or two models of a run got the same name, often because they differ only in case or in characters that a plain name cannot hold. The first one keeps the name; in a project with a `stagecraft.lock`, the one that had it so far.',
    remedy:
      'Give one of them a name of its own: `columns.<column>.name`, `tables.<table>.name` or `tables.<table>.model` in `stagecraft.yml`. Exclude the one you do not need with `exclude: true`.',
  },
  NAME_REPLACED: {
    cause: 'The stored name consists of characters that a plain name cannot keep, such as symbols only.',
    remedy: 'Choose a name with `columns.<column>.name` or `tables.<table>.name` in `stagecraft.yml`.',
  },
  NAME_SHORTENED: {
    cause:
      'The name is longer than the warehouse allows. It is cut, and a hash at its end keeps it apart from others.',
    remedy:
      'Choose a shorter name with `columns.<column>.name` or `tables.<table>.model` in `stagecraft.yml`.',
  },
  COLUMN_LEFT_OUT: {
    cause: '`stagecraft.yml` excludes the column, or `metadataColumns` leaves out the columns of the loader.',
    remedy:
      'Nothing needs to be done if that is what you want. Otherwise remove `exclude: true`, or set `metadataColumns: keep`.',
  },
  STRUCT_NOT_FLATTENED: {
    cause:
      'With `flatten: one level` the fields of a struct are columns of their own. That needs a type that names every field with its type, names that differ, and a column that is part of no key and not called as a part of the model.',
    remedy:
      'Select the fields by hand, or write `flatten: none` for this column, which says that it stays one.',
  },
  COMPOSITE_KEY_WITHOUT_PACKAGE: {
    cause:
      'A key has several columns, and `dbt_utils` is not among the packages of the project. The key is tested by one expression over its columns instead.',
    remedy:
      'Add `dbt-labs/dbt_utils` to `packages.yml`, or name it under `packages` in `stagecraft.yml`, for the test `unique_combination_of_columns`. The expression tests the same.',
  },
  RANGE_WITHOUT_PACKAGE: {
    cause:
      '`stagecraft.yml` gives a column a `range`, and `dbt_utils` is not among the packages of the project. dbt has no test for bounds of its own, so none is written.',
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
      'The warehouse dropped or renamed a column. Nothing is removed from a project unasked, so the model still reads the column, and dbt fails on it.',
    remedy:
      'Run `stagecraft apply --prune`, which takes out what was generated for the column, or mend the model by hand: what you wrote about it there stays.',
  },
  TABLE_RENAMED: {
    cause:
      'Of all tables that are followed, one is gone, and one that is new has the same columns and keys: it was renamed, as far as can be told. Its models, tests and descriptions stay, and `identifier` in the sources file says where the rows are now.',
    remedy:
      'Nothing, if it was renamed. If it is another table, run `stagecraft forget` on the old one before `stagecraft apply`.',
  },
  VALUES_CHANGED: {
    cause:
      'The expression of a column changed, and its name did not. Most likely `as` in the configuration changed it, and the name stands there by hand or says nothing of the unit. dbt builds everything that reads it, with other values. Or the warehouse gave a converted column another type, and the conversion in the configuration stays as it was.',
    remedy:
      'For another type, look at the stored values: remove `as` if they are no longer what it says. Otherwise look at the models, tests and dashboards that read the column. Give it another name with `columns.<column>.name` if they are to fail instead.',
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
      'A table is gone, and something in the project reads its model with `ref`: another model, a test, an exposure. dbt refuses a project in which a model is missing, so that `--prune` leaves the model. Every plan says so until nothing reads it.',
    remedy:
      'Change what the warning names so that it no longer reads the model, and run `stagecraft apply --prune` again. To remove it at once, delete its file.',
  },
  SOURCE_STILL_READ: {
    cause:
      'A table is gone, and beside its generated model something in the project reads it with `source`. dbt refuses a project in which the entry of a source is missing, so that `--prune` leaves the entry. Every plan says so until nothing reads it.',
    remedy:
      'Change what the warning names so that it no longer reads the table, and run `stagecraft apply --prune` again.',
  },
  COLUMN_STILL_READ: {
    cause:
      'A raw column was renamed or dropped, or the configuration names it otherwise, and the generated model follows. Another model of the project still reads the column by its former name, and dbt fails on that one. Every plan says so until nothing reads it.',
    remedy:
      'Change the places that the warning names, or keep the former name: `tables.<table>.columns.<column>.name` in `stagecraft.yml`, or in the SQL of the model.',
  },
  HAND_EDIT_KEPT: {
    cause:
      'A person changed a generated test or description in the properties, and the configuration, the table or the version would generate another one now; or a person changed the entry of a model that `--prune` removes. The text of the person stays.',
    remedy:
      'Change it by hand if the generated one is better. Move what is left of a model that is called otherwise now to its new entry.',
  },
  JOINS_NOT_READ: {
    cause:
      'A scan with `profile` looks for joins in the SQL of the project, which are evidence for references. Its repository could not be read: it has no dbt project, its branch is gone, or the server did not answer.',
    remedy: 'Mend what the message names, and scan again. Names and rows are evidence without it.',
  },
  TABLE_NOT_PROFILED: {
    cause:
      'The warehouse refused a query over the rows of this table: a right is missing, a view is broken, or it took too long.',
    remedy: 'Grant `select` on the table or mend the view. The other tables are not affected.',
  },
  TABLE_TOO_LARGE: {
    cause:
      'The table has more rows than `--max-rows` allows to be read, or takes more space than `--max-bytes`, so that its rows were not read.',
    remedy:
      'Raise the limit, or state what identifies its rows: `tables.<table>.key` in `stagecraft.yml`. The other tables are not affected.',
  },
  PARENT_NOT_STAGED: {
    cause:
      'The foreign key points to a table that has no model in this run or in the project, or to a column that its model, as a person wrote it, does not show.',
    remedy:
      'Without a model, generate the parent too, in the same run: name both tables, or the whole schema. If a person wrote the model, run `stagecraft adopt` on its file, or list its columns in its properties.',
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
      'Check that `dialect` names the warehouse that the types come from. Say what the column holds with `columns.<column>.as` in `stagecraft.yml`.',
  },
  CONVERSION_NOT_POSSIBLE: {
    cause:
      '`columns.<column>.as` in `stagecraft.yml` names a conversion that does not exist for the type of the column in this dialect: a date does not become `cents`. Everything else about the table is as configured.',
    remedy:
      'Use one of the conversions that the message lists, or remove `as`. If the type in the warehouse is the mistake, correct it there.',
  },
  CONVERSION_NOT_NEEDED: {
    cause:
      '`columns.<column>.as` in `stagecraft.yml` names a conversion, and the type of the column says that its values are converted already: a boolean needs no `boolean`, a timestamp no `epoch_seconds`. Numbers with decimal places are usually whole units of money, so `cents` would make them 100 times too small.',
    remedy:
      'Remove `as` from the column. If decimals are cents, keep `as: cents`; the warning stays as a reminder.',
  },
  VALUES_NOT_KEPT: {
    cause:
      'A language model proposed an expression or a conversion that may map different values of the column to one.',
    remedy:
      'Check the expression in the model. Decide the conversion yourself with `columns.<column>.as` in `stagecraft.yml`.',
  },
  BACKEND_FAILED: {
    cause:
      'The language model gave no usable answer for the table; the message has the reason. Names, descriptions and tests are those of the rules.',
    remedy:
      'Run again: answers that were usable come from the cache and cost nothing. Use `--on-failure error` to stop instead.',
  },
  EDIT_NOT_USED: {
    cause:
      'The language model proposed something for a column or the table that failed a check. The rules decide that part.',
    remedy:
      'Nothing is wrong with the output. To decide the part yourself, set `name`, `description` or `as` of the column in `stagecraft.yml`.',
  },
  CONFIG_NOT_USED: {
    cause:
      '`stagecraft.yml` names a schema, table or column that does not exist. Most often the name is misspelled, or the table was renamed.',
    remedy: 'Correct the name, or remove the entry. Names are written as the warehouse stores them.',
  },
  TABLE_LEFT_OUT: {
    cause:
      'A whole schema was asked for, and this table was left out: none of its columns are known, or a loader uses it for itself.',
    remedy:
      'Ask for the table by its name to generate it anyway. Set `exclude: true` for the table to silence the warning.',
  },
  INVISIBLE_CHARACTERS: {
    cause:
      'A name, a comment or a value has characters that readers do not see, such as zero-width spaces. YAML shows them as escapes; SQL has names as they are.',
    remedy: 'Remove the characters at their source, unless they are meant.',
  },
  CATALOG_PARTLY_READ: {
    cause:
      'A part of the catalog is missing, unreadable or unknown; the message names it. Everything else was read.',
    remedy:
      'For dbt artifacts run `dbt docs generate`. For a columns file correct the headers that the message names. Otherwise nothing needs to be done.',
  },
  PROJECT_PARTLY_READ: {
    cause:
      'The message names a file or folder of the dbt project: it is not valid YAML or UTF-8, its permissions forbid reading it, or it is a link that leads back to itself. The plan is made without it, and may declare again what it declares.',
    remedy: 'Correct the file, its permissions or the link. dbt itself stops at most of them.',
  },
  DDL_SKIPPED: {
    cause: 'A clause or statement of a SQL file was not understood; the message has file, line and words.',
    remedy:
      'Check that the columns of the table are complete. If the file is in another dialect, name it: `schema.sql?dialect=redshift`.',
  },
  DIALECT_ASSUMED: {
    cause:
      'Nothing states the dialect of the SQL file, so it was chosen by the signs that the message names.',
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
    cause: 'The key is valid but lacks the scope of the operation, or belongs to no project.',
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
      'Wait for the seconds in `Retry-After`; the client does so by itself. The operator can raise the limit with `--rate-limit`.',
  },
  INVALID_REQUEST: {
    cause:
      'Something in the request, the arguments or a file is invalid. All faults are listed at once, each with its path, the expected and the received value.',
    remedy: 'Correct every fault that the message lists.',
  },
  INVALID_SOURCE: {
    cause: 'The catalog has no such table, or the name fits several tables.',
    remedy:
      'Take one of the suggested names, or list the tables with `stagecraft tables`. Quote parts whose case matters.',
  },
  GENERATION_FAILED: {
    cause:
      'The code could not be generated, or did not pass its checks: a template printed invalid SQL or YAML, the language model gave no usable answer, or the time limit was reached. Nothing was written.',
    remedy:
      'Read the reason in the message. For a template, correct it; for a language model, run again or drop `--on-failure error`. Report anything that has no reason.',
  },
  CONNECTION_FAILED: {
    cause:
      'A warehouse, file, Git remote or service could not be reached or read; `details.reason` says why.',
    remedy: 'Check host, port, user and password as the message suggests, then try again.',
  },
} as const satisfies Readonly<Record<ErrorCode, Explanation>>
