import { z } from './zod.ts'
import { DIALECT_NAMES, TABLE_KINDS } from './names.ts'
import type { Table } from './types.ts'

const name = z.string().min(1)
const keyColumns = z.array(name).min(1).readonly()

/** A value of a closed list: from an enum type, a CHECK constraint, or a documented domain. */
export const columnValueSchema = z.union([z.string(), z.number(), z.boolean()])

/** The type of a column of which only the name of the type is known. */
export const UNKNOWN_TYPE = 'unknown'

export const columnSchema = z
  .strictObject({
    name: name.describe('As stored in the warehouse, case and all.'),
    type: name.describe("The warehouse's own spelling: `numeric(18,2)`, `TIMESTAMP_NTZ`."),
    nullable: z.boolean().optional().describe('False only when a NOT NULL constraint says so. Default true.'),
    comment: z.string().optional().describe('The comment that the warehouse keeps for the column.'),
    default: z.string().optional().describe('The default expression, as the warehouse prints it.'),
    values: z
      .array(columnValueSchema)
      .min(1)
      .readonly()
      .optional()
      .describe('Every value the column may hold, when an enum type, a CHECK list or a document says so.'),
    hidden: z
      .boolean()
      .optional()
      .describe(
        '`select *` leaves it out, so that it is selected by name: MATERIALIZED, ALIAS, INVISIBLE, HIDDEN. Default false.',
      ),
  })
  .readonly()

export const tableReferenceSchema = z
  .strictObject({
    database: name.optional().describe('As stored; default: that of the referring table.'),
    schema: name.optional().describe('As stored; default: that of the referring table.'),
    name: name.describe('As stored.'),
  })
  .readonly()

export const keyReferenceSchema = z
  .strictObject({
    table: tableReferenceSchema.describe('A missing schema or database is that of the referring table.'),
    columns: keyColumns.describe('The columns of its key, in order.'),
  })
  .readonly()

export const foreignKeySchema = z
  .strictObject({
    columns: keyColumns.describe('The referring columns, in the order of the key they refer to.'),
    references: keyReferenceSchema.describe(
      "A missing schema or database is that of the foreign key's own table.",
    ),
  })
  .readonly()

const confidence = z
  .number()
  .min(0)
  .max(1)
  .describe('Share of findings like this one that were true on databases with known keys.')

export const observedKeySchema = z
  .strictObject({
    columns: keyColumns.describe('In the order of the table.'),
    confidence,
    rows: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe('Rows that were told apart by it, where they are not those of the table.'),
  })
  .readonly()

export const observedReferenceSchema = z
  .strictObject({
    columns: keyColumns.describe('The referring columns, in the order of the key they refer to.'),
    references: keyReferenceSchema.describe('The table and the key whose values they are.'),
    values: z.number().int().min(0).describe('Different values, each of which has its parent.'),
    confidence,
  })
  .readonly()

export const observedValuesSchema = z
  .strictObject({
    column: name.describe('As stored.'),
    values: z.array(columnValueSchema).min(1).readonly().describe('Every value that it has, in order.'),
    confidence,
  })
  .readonly()

export const observedRangeSchema = z
  .strictObject({
    column: name.describe('As stored.'),
    min: z.number().optional().describe('The least number that it may be expected to have.'),
    max: z.number().optional().describe('The greatest one.'),
    confidence,
  })
  .readonly()

export const observedFormSchema = z
  .strictObject({
    column: name.describe('As stored.'),
    form: z.enum(['json', 'email', 'url']).describe('The form that nearly all of its texts have.'),
  })
  .readonly()

/** Facts that hold for the rows of a table, although nobody declared them. */
export const observationSchema = z
  .strictObject({
    rows: z.number().int().min(0).describe('Rows that were looked at.'),
    sampled: z
      .boolean()
      .optional()
      .describe('Only some of the rows were looked at, so that tests only warn. Default false.'),
    key: observedKeySchema
      .optional()
      .describe('Columns that no two rows share, and that are named like a key. Absent when none was found.'),
    references: z
      .array(observedReferenceSchema)
      .readonly()
      .optional()
      .describe('Columns whose every value is the key of another table.'),
    values: z
      .array(observedValuesSchema)
      .readonly()
      .optional()
      .describe('Columns that have a few values again and again, in the order of the table.'),
    notNull: z
      .array(name)
      .readonly()
      .optional()
      .describe('Columns without a null that are expected to stay so, besides those of the key.'),
    ranges: z
      .array(observedRangeSchema)
      .readonly()
      .optional()
      .describe('Columns whose numbers stay within bounds that their meaning has.'),
    forms: z
      .array(observedFormSchema)
      .readonly()
      .optional()
      .describe('Columns whose texts are documents, addresses of e-mail or of pages.'),
    on: z.iso.date().optional().describe('The day on which the rows were looked at, in UTC.'),
  })
  .readonly()

const storageColumns = z.array(name).min(1).readonly()

/** The order and the storage places of a table's rows. */
export const tableStorageSchema = z
  .strictObject({
    partitionedBy: storageColumns
      .optional()
      .describe('`created_at`, `DATE(created_at)`: the rows of each value lie apart.'),
    clusteredBy: storageColumns
      .optional()
      .describe('Rows of like values lie together: CLUSTER BY, CLUSTERED BY, a clustered index.'),
    sortedBy: storageColumns
      .optional()
      .describe('The order of the rows: ORDER BY of ClickHouse, SORTKEY of Redshift.'),
    distributedBy: storageColumns
      .optional()
      .describe('Rows of the same value lie on the same node: DISTKEY of Redshift.'),
  })
  .readonly()

/**
 * A table or view as described by a catalog. Files of the `columns` catalog have exactly this shape;
 * docs/reference/columns-file.md documents it with examples.
 */
export const tableSchema = z
  .strictObject({
    database: name.optional().describe('As stored; default: that of the source name asked for.'),
    schema: name.optional().describe('As stored; default: that of the source name asked for.'),
    name: name.optional().describe('As stored; default: the last part of the source name asked for.'),
    kind: z.enum(TABLE_KINDS).optional().describe('Default `table`.'),
    comment: z.string().optional().describe('The comment that the warehouse keeps for the table.'),
    columns: z.array(columnSchema).readonly().describe('In the order of the table.'),
    primaryKey: keyColumns.optional().describe('The columns of the declared primary key, in its order.'),
    uniqueKeys: z
      .array(keyColumns)
      .readonly()
      .optional()
      .describe('The columns of each other declared unique key.'),
    foreignKeys: z
      .array(foreignKeySchema)
      .readonly()
      .optional()
      .describe('The declared references to other tables.'),
    storage: tableStorageSchema
      .optional()
      .describe(
        'How its rows are kept: stored names of columns, or expressions as the warehouse prints them. It changes no file.',
      ),
    observed: observationSchema
      .optional()
      .describe('The facts that the rows were found to keep; with them, names alone make no tests of keys.'),
    location: name
      .optional()
      .describe(
        'The expression that reads the rows if there is no relation in the warehouse: `read_parquet(...)`.',
      ),
    model: name.optional().describe('The dbt model that builds this relation; it is then read with `ref()`.'),
    dialect: z
      .enum(DIALECT_NAMES)
      .optional()
      .describe("The SQL that its types are spelled in. Default: the catalog's, else the one generated for."),
  })
  .readonly()

export type {
  Column,
  ColumnValue,
  ForeignKey,
  KeyReference,
  Observation,
  ObservedKey,
  ObservedForm,
  ObservedRange,
  ObservedReference,
  ObservedValues,
  Table,
  TableReference,
  TableStorage,
} from './types.ts'

/** A table from a catalog, whose stored name is always known. */
export type CatalogTable = Table & { readonly name: string }
