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
    folder: text.describe('Folder of its files, from `{source}`: `models/staging/{source}`.'),
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
    id: text.describe("The table's own `id`, from `{entity}`: `{entity}_key`. Default `{entity}_id`."),
    reference: namePattern.describe(
      'Names that end in `_id`; `{name}` is the name without it: `{name}_key`. Default `{name}_id`.',
    ),
    boolean: namePattern.describe(
      '`{name}` is the name without `is`, `flag` and the like: `is_{name}`, `{name}_flag`. Default: as `booleans` says.',
    ),
    timestamp: namePattern.describe(
      '`{name}` is the name without `at`, `time` and the like: `{name}_ts`. Names that `timestamps: keep` leaves alone stay. Default `{name}_at`.',
    ),
    date: namePattern.describe(
      '`{name}` is the name without `date`: `{name}_on`. Names that `dates: keep` leaves alone stay. Default `{name}_date`.',
    ),
    default: namePattern.describe(
      'All columns but ids, references and those with a pattern of their own: `{entity}_{name}`. An entity that the name begins with is not repeated. Default `{name}`.',
    ),
  })
  .partial()
  .readonly()

export const typesNamingSchema = z
  .strictObject({
    staging: typeNamingSchema.describe('Of staging models.'),
    base: typeNamingSchema.describe('Of base models.'),
    snapshot: typeNamingSchema.describe('Of snapshots.'),
  })
  .partial()
  .readonly()

/** The naming rules. Every member has a default in the preset. */
export const namingSchema = z
  .strictObject({
    columns: z
      .enum(['snake', 'lower', 'keep'])
      .describe('snake_case with all rules (default), lower case only, or as stored.'),
    ids: z.boolean().describe("Name the table's own `id` after its entity: `payment_id`. Default true."),
    booleans: z
      .boolean()
      .describe(
        'Prefix booleans of one word that name a state with `is_`: `active` → `is_active`; `skip_charges` and `verified_email` stay. Default true.',
      ),
    timestamps: z
      .union([z.literal(false), z.enum(['keep', 'suffix'])])
      .describe(
        'Names of events end in `_at`: `created` → `created_at`. `keep` (default) leaves names that tell a time in their own words (`event_ts`, `synced_utc`, `close_date`); `suffix` ends all in `_at`; false changes none.',
      ),
    dates: z
      .union([z.literal(false), z.enum(['keep', 'suffix'])])
      .describe(
        'Names of events end in `_date`: `date_ordered` → `ordered_date`. `keep` (default) leaves `order_dt` and `ordered_on`; `suffix` turns them too; false changes none.',
      ),
    splitting: z
      .enum(['auto', 'always', 'never'])
      .describe(
        'Split run-together names by known words: `createdbyid` → `created_by_id`. `auto` (default) where the table writes all its names so. `never` also keeps `orderline` in `{entity}`.',
      ),
    customFields: z
      .enum(['keep', 'drop'])
      .describe(
        'Custom fields of Salesforce: stay as they are (default), or lose `__c` and follow the rules.',
      ),
    entity: z
      .enum(['plural', 'singular', 'keep'])
      .describe('Number of the entity in model names. Default plural.'),
    entityFrom: names.describe(
      'Patterns of table names that tell the entity; the first that fits: `*` is any text, `{word}` one word. `*_{entity}` takes the last word. Default: the whole name.',
    ),
    tablePrefixes: names.describe('Prefixes that table names lose: `raw_`, `src_`.'),
    columnPrefixes: names.describe(
      'Prefixes that column names lose: `fld_`, `{entity}_`, or `{shared}_`, the word that all columns of a table begin with. Default none.',
    ),
    patterns: namePatternsSchema.describe('Patterns of staged names, by what a column holds.'),
    glossary: z
      .record(text, text)
      .readonly()
      .describe(
        'Replaces words: `{ cust: customer, amt: amount }`, or several in a row: `{ phone_no: phone }`. Holds for entities too. Nothing else is expanded.',
      ),
    renames: z
      .record(text, text)
      .readonly()
      .describe(
        "Whole column names, in any case: `{ cust_no: customer_number }`. `*` stands for any text on both sides, `{entity}` for the entity: `{ '*_dt': '*_date', name: '{entity}_name' }`. Wins over every rule.",
      ),
    prefixWords: names.describe(
      'Names that get the entity in front although they are not reserved: `[type, status]`. Default none.',
    ),
    words: names.describe(
      'More words by which run-together names are split. One with capitals inside stays one word: `iOS`, `oAuth`.',
    ),
    sourcesFile: text.describe('File of the sources entry, from `{source}`: `_{source}__sources.yml`.'),
    sourcesFolder: text.describe('Folder of that file, from `{source}`: `models/staging/{source}`.'),
    types: typesNamingSchema.describe('Names and places per type of model.'),
    kinds: typesNamingSchema
      .describe('Deprecated: the earlier name of `types`, which wins.')
      .meta({ deprecated: true }),
  })
  .partial()
  .readonly()

export const rangeConfigSchema = z
  .strictObject({
    min: z.number().optional().describe('The least value, which itself is allowed.'),
    max: z.number().optional().describe('The greatest value, which itself is allowed.'),
  })
  .readonly()

export const columnConfigSchema = z
  .strictObject({
    name: text.describe('The staged name.'),
    description: z.string().describe('Wins over comment and rules.'),
    as: z.enum(CONVERSIONS).describe('The meaning of the raw value; names alone are no evidence for it.'),
    values: z.array(columnValueSchema).min(1).readonly().describe('Every value the column may hold.'),
    notNull: z.literal(true).describe('The column is never null: a `not_null` test that fails.'),
    range: rangeConfigSchema.describe('Bounds of its numbers: tested where the project has dbt_utils.'),
    references: columnPath.describe(
      'The column of another table whose values it has: `customers.id`, `shop.customers.id`.',
    ),
    exclude: z.literal(true).describe('Leave the column out of the model.'),
    flatten: z
      .enum(['none', 'one level'])
      .describe('The same as the option, for this column alone. A field is configured as `address.city`.'),
    lossy: z
      .literal(true)
      .describe(
        'Lets a backend propose an expression that loses values: a constant, another column, a conversion.',
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
    description: z.string().describe('Describes the model; wins over comment and rules.'),
    exclude: z.literal(true).describe('Leave the table out, unless it is requested by name.'),
    options: generationOptionsSchema.describe('Options of this table, over those of its source.'),
    naming: namingSchema.describe('Rules for the names of this table, over those of its source.'),
    columns: z.record(text, columnConfigSchema).readonly().describe('By column name, as stored.'),
  })
  .partial()
  .readonly()

export const sourceConfigSchema = z
  .strictObject({
    name: text.describe('The name of the dbt source; default: the schema, made a plain name.'),
    description: z.string().describe('Describes the dbt source.'),
    exclude: z.literal(true).describe('Leave the schema out, unless it is requested by name.'),
    options: generationOptionsSchema.describe('Options of this source, over those of the file.'),
    naming: namingSchema.describe('Rules for names of this source, over those of the file.'),
    tables: z.record(text, tableConfigSchema).readonly().describe('By table name, as stored.'),
  })
  .partial()
  .readonly()

export const backendConfigSchema = z
  .strictObject({
    name: z.enum(BACKEND_NAMES).describe('The kind of backend. Default: none, the rules alone.'),
    model: text.describe("The provider's name of the model. Default: that of the backend."),
    baseUrl: text.describe('The address of the API: `http://localhost:11434/v1`. Default: the provider.'),
    cassettes: text.describe('Folder of recorded exchanges for `replay`, relative to this file.'),
    ...llmSettingsSchema.unwrap().shape,
  })
  .partial()
  .readonly()

export const ignoreSettingSchema = z
  .strictObject({
    rule: text.describe('Id of the rule: `SC203`.'),
    path: text.optional().describe('A file or a pattern, relative to the project: `models/legacy/**`.'),
    source: text.optional().describe('A source, or a table of it: `shop`, `shop.orders`.'),
    model: text.optional().describe('A model, seed or snapshot: `stg_shop__orders`.'),
    reason: text.optional().describe('The reason. An exception without a reason is a finding itself.'),
  })
  .readonly()

/** The rules of `stagecraft lint`. */
export const lintConfigSchema = z
  .strictObject({
    rules: z
      .record(text, z.enum(['off', 'info', 'warning', 'error']))
      .readonly()
      .describe('Severities by id or name: `{ SC401: off, SC404: warning }`. A rule that is named is on.'),
    ignore: z
      .array(ignoreSettingSchema)
      .readonly()
      .describe('Intended findings to leave out: by rule, and by path, source or model.'),
  })
  .partial()
  .readonly()

/** A `stagecraft.yml`. docs/reference/configuration.md explains it with examples. */
export const configSchema = z
  .strictObject({
    preset: z.enum(PRESET_NAMES).describe('The set of defaults to start from. Default `dbt-labs`.'),
    dialect: z.enum(DIALECT_NAMES).describe('The SQL to write. Default: that of the catalog.'),
    dbtVersion: text.describe(
      'The dbt version whose YAML is written: `1.9`. Default: the one that last parsed the project, else the newest that its `require-dbt-version` allows, else the newest.',
    ),
    catalog: text.describe('The source of columns: `postgres://…`, `duckdb:raw.db`, `columns.yml`.'),
    defaultDatabase: text.describe('The database of dbt runs; it is left out of sources files.'),
    defaultSchema: text.describe('The schema of tables that are named without one.'),
    backend: backendConfigSchema.describe(
      'A language model that proposes names, descriptions and tests. Its key comes from the environment.',
    ),
    lint: lintConfigSchema.describe('What `stagecraft lint` checks.'),
    packages: names.describe('dbt packages the project has: `[dbt_utils]`. Default: read from packages.yml.'),
    options: generationOptionsSchema.describe('Options of all requests, over those of the preset.'),
    naming: namingSchema.describe('Rules for names, over those of the preset.'),
    templates: z
      .record(text, text)
      .readonly()
      .describe(
        'Own template files by name: `{ staging.sql: templates/staging.sql.njk }`, relative to this file.',
      ),
    sources: z
      .record(text, sourceConfigSchema)
      .readonly()
      .describe(
        'Overrides per schema, by its stored name: `stripe`, or `raw.stripe` where two databases have it.',
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
