import { z } from './zod.ts'
import { llmSettingsSchema } from './llm.ts'
import { BACKEND_NAMES, DIALECT_NAMES, CONVERSIONS, PRESET_NAMES } from './names.ts'
import { generationOptionsSchema } from './options.ts'
import { columnValueSchema } from './table.ts'

const text = z.string().min(1)
const names = z.array(text).readonly()

export const typeNamingSchema = z
  .strictObject({
    model: text.describe(
      'Model name, from `{source}`, `{entity}` and `{table}`, the stored name of the table without its prefixes: `stg_{source}__{entity}`.',
    ),
    folder: text.describe(
      'Folder of its files, from `{source}`, `{entity}` and `{table}`: `models/staging/{source}`.',
    ),
    yaml: text.describe(
      'Models file of a folder, from `{source}`: `_{source}__models.yml`. With `yamlLayout: model`, from `{model}` too: `{model}.yml`.',
    ),
  })
  .partial()
  .readonly()

const columnPath = z.string().regex(/^[^.]+(?:\.[^.]+)+$/, 'a table and its column, as in `customers.id`')
const namePattern = z.string().regex(/\{name\}/, 'a pattern with `{name}`')

/** Patterns of staged names, by the kind of column. */
export const namePatternsSchema = z
  .strictObject({
    id: text.describe(
      "The table's own `id`, from `{entity}`: `{entity}_key`, `pk_{entity}`. Also applies to a key that is stored as `{entity}_id`. Default `{entity}_id`.",
    ),
    reference: namePattern.describe(
      'Names that end in `_id`; `{name}` is the name without it: `{name}_key`. Default `{name}_id`.',
    ),
    boolean: namePattern.describe(
      '`{name}` is the name without `is`, `flag` and the like: `is_{name}`, `{name}_flag`. Default: the rule `booleans`.',
    ),
    timestamp: namePattern.describe(
      '`{name}` is the name without `at`, `time` and the like: `{name}_ts`. Names that `timestamps: keep` leaves alone do not change. Default `{name}_at`.',
    ),
    date: namePattern.describe(
      '`{name}` is the name without `date`: `{name}_on`. Names that `dates: keep` leaves alone do not change. Default `{name}_date`.',
    ),
    default: namePattern.describe(
      'All columns except ids, references and those with their own pattern: `{entity}_{name}`. The entity is not repeated if the name already begins or ends with it. Default `{name}`.',
    ),
  })
  .partial()
  .readonly()

export const typesNamingSchema = z
  .strictObject({
    staging: typeNamingSchema.describe('For staging models.'),
    base: typeNamingSchema.describe('For base models.'),
    snapshot: typeNamingSchema.describe('For snapshots.'),
  })
  .partial()
  .readonly()

/** The naming rules. Every member has a default in the preset. */
export const namingSchema = z
  .strictObject({
    columns: z
      .enum(['snake', 'camel', 'pascal', 'lower', 'keep'])
      .describe(
        'snake_case with all rules (default), the same names as `camelCase` or `PascalCase` (quoted where the warehouse would fold them), lower case only, or as stored.',
      ),
    ids: z.boolean().describe("Name the table's own `id` after its entity: `payment_id`. Default true."),
    booleans: z
      .boolean()
      .describe(
        'Prefix one-word booleans that name a state with `is_`: `active` → `is_active`; `skip_charges` and `verified_email` stay. Default true.',
      ),
    timestamps: z
      .union([z.literal(false), z.enum(['keep', 'suffix'])])
      .describe(
        'Names of events end in `_at`: `created` → `created_at`. `keep` (default) leaves names that already say that they are a time (`event_ts`, `synced_utc`, `close_date`); `suffix` makes all end in `_at`; false changes none.',
      ),
    dates: z
      .union([z.literal(false), z.enum(['keep', 'suffix'])])
      .describe(
        'Names of events end in `_date`: `ordered` → `ordered_date`. `keep` (default) leaves `date_ordered`, `order_dt`, `ordered_on` and `ordered_at`; `suffix` changes them too; false changes none.',
      ),
    splitting: z
      .enum(['auto', 'always', 'never'])
      .describe(
        'Split run-together names by known words: `createdbyid` → `created_by_id`. `auto` (default) splits unless most long names of the table have unknown words. `never` also keeps `orderline` in `{entity}`.',
      ),
    customFields: z
      .enum(['keep', 'drop'])
      .describe(
        'Custom fields of Salesforce: without `__c` and the namespace of a package, and named by the rules (`drop`, default), or unchanged (`keep`).',
      ),
    entity: z
      .enum(['plural', 'singular', 'keep'])
      .describe('The form of the entity in model names. Default plural.'),
    entityFrom: names.describe(
      'Patterns that find the entity in a table name; the first match is used. `*` is any text, `{word}` is one word: `*_{entity}` takes the last word. Default: the whole name.',
    ),
    tablePrefixes: names.describe('Prefixes to remove from table names: `raw_`, `src_`.'),
    columnPrefixes: names.describe(
      'Prefixes to remove from column names: `fld_`, `{entity}_`, or `{shared}_`, the word that all columns of a table begin with. Default none.',
    ),
    patterns: namePatternsSchema.describe('Patterns of staged names, by the kind of column.'),
    glossary: z
      .record(text, text)
      .readonly()
      .describe(
        'Replaces words: `{ cust: customer, amt: amount }`, or several in a row: `{ phone_no: phone }`. Applies to entities too. Nothing else is expanded.',
      ),
    renames: z
      .record(text, text)
      .readonly()
      .describe(
        "Replaces whole column names; case is ignored: `{ cust_no: customer_number }`. `*` matches any text, on both sides; `{entity}` is the entity: `{ '*_dt': '*_date', name: '{entity}_name' }`. Overrides every rule.",
      ),
    prefixWords: names.describe(
      "Names that get the entity as a prefix although they are not reserved: `[type, status]`; `['*']` is all names of one word. Default none.",
    ),
    words: names.describe(
      'More words for splitting run-together names. A word with inner capitals stays one word: `iOS`, `oAuth`.',
    ),
    sourcesFile: text.describe('The file of the sources entry, from `{source}`: `_{source}__sources.yml`.'),
    sourcesFolder: text.describe('The folder of that file, from `{source}`: `models/staging/{source}`.'),
    types: typesNamingSchema.describe('Names and folders by type of model.'),
    kinds: typesNamingSchema
      .describe('Deprecated: the earlier name of `types`, which takes precedence.')
      .meta({ deprecated: true }),
  })
  .partial()
  .readonly()

export const rangeConfigSchema = z
  .strictObject({
    min: z.number().optional().describe('The smallest allowed value.'),
    max: z.number().optional().describe('The largest allowed value.'),
  })
  .readonly()

export const columnConfigSchema = z
  .strictObject({
    name: text.describe('The staged name.'),
    description: z.string().describe('The description. Overrides comment and rules.'),
    as: z.enum(CONVERSIONS).describe('The meaning of the raw value. It is never taken from the name alone.'),
    values: z.array(columnValueSchema).min(1).readonly().describe('Every value that the column may have.'),
    notNull: z.literal(true).describe('The column is never null: a `not_null` test with severity `error`.'),
    range: rangeConfigSchema.describe('Bounds of its numbers; tested if the project has dbt_utils.'),
    references: columnPath.describe(
      'The column of another table that it refers to: `customers.id`, `shop.customers.id`.',
    ),
    exclude: z.literal(true).describe('Leave the column out of the model.'),
    flatten: z
      .enum(['none', 'one level'])
      .describe('The same as the option, for this column only. Configure a field as `address.city`.'),
    lossy: z
      .literal(true)
      .describe(
        'Let a backend propose an expression that loses values: a constant, another column, a conversion.',
      ),
  })
  .partial()
  .readonly()

export const tableConfigSchema = z
  .strictObject({
    name: text.describe('The name of the table in the dbt source; its entity is taken from it.'),
    model: text.describe('The name of its model.'),
    entity: text.describe('The name of one row, in the singular: `payment`.'),
    key: z.array(text).min(1).readonly().describe('The columns that identify a row.'),
    loadedAt: text.describe('The column with the load time of a row, for `dbt source freshness`.'),
    description: z.string().describe('The description of the model. Overrides comment and rules.'),
    exclude: z.literal(true).describe('Leave the table out, unless it is requested by name.'),
    options: generationOptionsSchema.describe('Options of this table. They override those of its source.'),
    naming: namingSchema.describe('Naming rules of this table. They override those of its source.'),
    columns: z.record(text, columnConfigSchema).readonly().describe('The columns by stored name.'),
  })
  .partial()
  .readonly()

export const sourceConfigSchema = z
  .strictObject({
    name: text.describe('The name of the dbt source. Default: the schema as a plain name.'),
    description: z.string().describe('The description of the dbt source.'),
    exclude: z.literal(true).describe('Leave the schema out, unless it is requested by name.'),
    options: generationOptionsSchema.describe('Options of this source. They override those of the file.'),
    naming: namingSchema.describe('Naming rules of this source. They override those of the file.'),
    tables: z.record(text, tableConfigSchema).readonly().describe('The tables by stored name.'),
  })
  .partial()
  .readonly()

export const backendConfigSchema = z
  .strictObject({
    name: z.enum(BACKEND_NAMES).describe('The kind of backend. Default: none; only the rules decide.'),
    model: text.describe("The provider's name of the model. Default: that of the backend."),
    baseUrl: text.describe('The address of the API: `http://localhost:11434/v1`. Default: the provider.'),
    cassettes: text.describe('The folder of recorded exchanges for `replay`, relative to this file.'),
    ...llmSettingsSchema.unwrap().shape,
  })
  .partial()
  .readonly()

export const ignoreSettingSchema = z
  .strictObject({
    rule: text.describe('The id of the rule: `SC203`.'),
    path: text.optional().describe('A file or a pattern, relative to the project: `models/legacy/**`.'),
    source: text.optional().describe('A source, or a table of it: `shop`, `shop.orders`.'),
    model: text.optional().describe('A model, seed or snapshot: `stg_shop__orders`.'),
    reason: text.optional().describe('The reason. An exception without a reason is itself a finding.'),
  })
  .readonly()

/** The rules of `stagecraft lint`. */
export const lintConfigSchema = z
  .strictObject({
    rules: z
      .record(text, z.enum(['off', 'info', 'warning', 'error']))
      .readonly()
      .describe('Severities by id or name: `{ SC401: off, SC404: warning }`. Naming a rule switches it on.'),
    ignore: z
      .array(ignoreSettingSchema)
      .readonly()
      .describe('Accepted findings to leave out: by rule, and by path, source or model.'),
  })
  .partial()
  .readonly()

/** A `stagecraft.yml`. docs/reference/configuration.md explains it with examples. */
export const configSchema = z
  .strictObject({
    preset: z.enum(PRESET_NAMES).describe('The set of defaults to start from. Default `dbt-labs`.'),
    dialect: z
      .enum(DIALECT_NAMES)
      .describe(
        'The SQL dialect to write. Default: that of `stagecraft.lock`, of the dbt profile, or of the catalog, in this order.',
      ),
    dbtVersion: text.describe(
      'The dbt version to write YAML for: `1.9`. Default: the version that last parsed the project, otherwise the newest that `require-dbt-version` allows, otherwise the newest.',
    ),
    catalog: text.describe('The source of columns: `postgres://…`, `duckdb:raw.db`, `columns.yml`.'),
    defaultDatabase: text.describe('The database of dbt runs; it is left out of sources files.'),
    defaultSchema: text.describe('The schema of tables that are named without one.'),
    backend: backendConfigSchema.describe(
      'A language model that proposes names, descriptions and tests. Its key comes from the environment.',
    ),
    lint: lintConfigSchema.describe('The rules of `stagecraft lint`.'),
    packages: names.describe(
      'The dbt packages of the project: `[dbt_utils]`. Default: read from packages.yml.',
    ),
    options: generationOptionsSchema.describe('Options of all requests. They override those of the preset.'),
    naming: namingSchema.describe('Naming rules. They override those of the preset.'),
    templates: z
      .record(text, text)
      .readonly()
      .describe(
        'Custom template files by name: `{ staging.sql: templates/staging.sql.njk }`, relative to this file.',
      ),
    sources: z
      .record(text, sourceConfigSchema)
      .readonly()
      .describe(
        'Overrides by stored name of the schema: `stripe`, or `raw.stripe` if two databases have it.',
      ),
  })
  .partial()
  .readonly()

export type {
  BackendConfig,
  ColumnConfig,
  Config,
  IgnoreSetting,
  TypeNaming,
  TypesNaming,
  LintConfig,
  NamePatterns,
  Naming,
  RangeConfig,
  SourceConfig,
  TableConfig,
} from './types.ts'
