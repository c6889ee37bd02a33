import { z } from './zod.ts'

export const freshnessAgeSchema = z
  .strictObject({
    count: z.int().positive().describe('The number of periods.'),
    period: z.enum(['minute', 'hour', 'day']).describe('The unit of `count`.'),
  })
  .readonly()

export const freshnessSchema = z
  .strictObject({
    warnAfter: freshnessAgeSchema.optional().describe('dbt warns when the newest row is older.'),
    errorAfter: freshnessAgeSchema.optional().describe('dbt fails when the newest row is older.'),
  })
  .readonly()

/** The options of a request, a configuration file, or an override of one source or table. */
export const generationOptionsSchema = z
  .strictObject({
    addTests: z
      .boolean()
      .describe('Write data tests that evidence supports. Default false; the command line turns it on.'),
    addDocs: z
      .boolean()
      .describe('Write descriptions that are known to be true. Default false; the command line turns it on.'),
    casts: z
      .enum(['none', 'safe', 'full'])
      .describe(
        '`none` renames only; `safe` (default) converts where the type or evidence calls for it; `full` also casts every column to its own type, spelled out.',
      ),
    contract: z.boolean().describe('Enforce a dbt model contract; implies `dataTypes`. Default false.'),
    dataTypes: z.boolean().describe("Write `data_type` in the model's YAML. Default false."),
    deletedRows: z
      .enum(['filter', 'flag', 'keep'])
      .describe(
        'Rows that the loader marked as deleted: left out (default), shown by `is_deleted`, or kept.',
      ),
    duplicates: z
      .enum(['remove', 'keep'])
      .describe('Versions of a row, if the loader appends them: keep only the newest (default), or all.'),
    metadataColumns: z
      .enum(['keep', 'loaded', 'drop'])
      .describe("The loader's own columns: all (default), only the load time as `_loaded_at`, or none."),
    loader: z
      .string()
      .min(1)
      .describe(
        'The tool that fills the table. Default `auto`: recognized by its columns; `none`: no loader.',
      ),
    loadMode: z
      .enum(['append', 'merge'])
      .describe(
        'How the loader stores versions of a row: it appends every version, or merges them. Default: from its loader pack.',
      ),
    freshness: z
      .union([z.literal(false), freshnessSchema])
      .describe('Thresholds for `dbt source freshness`. Default: warn after 24 hours, error after 48.'),
    yamlLayout: z
      .enum(['folder', 'model'])
      .describe('One models file per folder (default), or one beside each model.'),
    columnOrder: z
      .enum(['groups', 'source'])
      .describe(
        'The order of columns: in groups such as ids, strings and numerics (default), or as in the source.',
      ),
    keysAsText: z
      .boolean()
      .describe('Cast key columns to text, as the dbt Labs guide recommends. Default false.'),
    testReasons: z
      .boolean()
      .describe('State the evidence of each test under `config.meta.stagecraft`. Default false.'),
    flatten: z
      .enum(['none', 'one level'])
      .describe(
        'Columns of a struct with named fields: one column (default), or one for each field, `address.city` as `address_city`. Structs inside it, arrays and maps stay whole.',
      ),
    leadingCommas: z.boolean().describe('Write commas before columns, not after them. Default false.'),
    materialized: z
      .enum(['view', 'table', 'ephemeral'])
      .describe('The materialization to write into the model. Default: the project decides.'),
  })
  .partial()
  .readonly()

export type { Freshness, FreshnessAge, GenerationOptions } from './types.ts'
