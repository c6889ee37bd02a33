import { z } from './zod.ts'
import { DIALECT_NAMES, TABLE_KINDS } from './names.ts'
import type { Table } from './types.ts'

const name = z.string().min(1)
const keyColumns = z.array(name).min(1).readonly()

/** A value of a closed list: from an enum type, a CHECK constraint, or a documented domain. */
export const columnValueSchema = z.union([z.string(), z.number(), z.boolean()])

/** The type of a column whose type is not known. */
export const UNKNOWN_TYPE = 'unknown'

export const columnSchema = z
  .strictObject({
    name: name.describe('The stored name, in its exact case.'),
    type: name.describe("The warehouse's own spelling: `numeric(18,2)`, `TIMESTAMP_NTZ`."),
    nullable: z.boolean().optional().describe('False only if there is a NOT NULL constraint. Default true.'),
    comment: z.string().optional().describe('The comment on the column in the warehouse.'),
    default: z.string().optional().describe('The default expression, as the warehouse prints it.'),
    values: z
      .array(columnValueSchema)
      .min(1)
      .readonly()
      .optional()
      .describe('Every value that the column may have, from an enum type, a CHECK list or a document.'),
    hidden: z
      .boolean()
      .optional()
      .describe(
        'True if `select *` leaves it out, so it must be selected by name: MATERIALIZED, ALIAS, INVISIBLE, HIDDEN. Default false.',
      ),
  })
  .readonly()

export const tableReferenceSchema = z
  .strictObject({
    database: name.optional().describe('As stored. Default: that of the referring table.'),
    schema: name.optional().describe('As stored. Default: that of the referring table.'),
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
  .describe('The share of findings like this one that were true on databases with known keys.')

export const observedKeySchema = z
  .strictObject({
    columns: keyColumns.describe('In the order of the table.'),
    confidence,
    rows: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe('The number of rows that it distinguishes, if that is not the number of rows of the table.'),
  })
  .readonly()

export const observedReferenceSchema = z
  .strictObject({
    columns: keyColumns.describe('The referring columns, in the order of the key they refer to.'),
    references: keyReferenceSchema.describe('The table and the key that they refer to.'),
    values: z.number().int().min(0).describe('The number of distinct values, each with a parent.'),
    confidence,
  })
  .readonly()

export const observedValuesSchema = z
  .strictObject({
    column: name.describe('As stored.'),
    values: z.array(columnValueSchema).min(1).readonly().describe('Every value of the column, in order.'),
    confidence,
  })
  .readonly()

export const observedRangeSchema = z
  .strictObject({
    column: name.describe('As stored.'),
    min: z.number().optional().describe('The smallest expected value.'),
    max: z.number().optional().describe('The largest expected value.'),
    confidence,
  })
  .readonly()

export const observedFormSchema = z
  .strictObject({
    column: name.describe('As stored.'),
    form: z.enum(['json', 'email', 'url']).describe('The form that nearly all of its texts have.'),
  })
  .readonly()

/** Undeclared facts that hold for the rows of a table. */
export const observationSchema = z
  .strictObject({
    rows: z.number().int().min(0).describe('The number of rows that were read.'),
    sampled: z
      .boolean()
      .optional()
      .describe('True if only some of the rows were read; tests then only warn. Default false.'),
    key: observedKeySchema
      .optional()
      .describe(
        'Columns whose values differ in all rows, and which are named like a key. Absent if none were found.',
      ),
    references: z
      .array(observedReferenceSchema)
      .readonly()
      .optional()
      .describe('Columns in which every value is a key of another table.'),
    values: z
      .array(observedValuesSchema)
      .readonly()
      .optional()
      .describe('Columns with a few repeated values, in the order of the table.'),
    notNull: z
      .array(name)
      .readonly()
      .optional()
      .describe('Columns without nulls that are expected to stay so, except those of the key.'),
    ranges: z
      .array(observedRangeSchema)
      .readonly()
      .optional()
      .describe('Columns whose numbers stay within the bounds of their meaning.'),
    forms: z
      .array(observedFormSchema)
      .readonly()
      .optional()
      .describe('Columns whose texts are JSON, e-mail addresses or URLs.'),
    on: z.iso.date().optional().describe('The day on which the rows were read, in UTC.'),
  })
  .readonly()

const storageColumns = z.array(name).min(1).readonly()

/** The order and the placement of a table's rows. */
export const tableStorageSchema = z
  .strictObject({
    partitionedBy: storageColumns
      .optional()
      .describe('The rows of each value are stored separately: `created_at`, `DATE(created_at)`.'),
    clusteredBy: storageColumns
      .optional()
      .describe('Rows with similar values are stored together: CLUSTER BY, CLUSTERED BY, a clustered index.'),
    sortedBy: storageColumns
      .optional()
      .describe('The order of the rows: ORDER BY of ClickHouse, SORTKEY of Redshift.'),
    distributedBy: storageColumns
      .optional()
      .describe('Rows with the same value are on the same node: DISTKEY of Redshift.'),
  })
  .readonly()

/**
 * A table or view as described by a catalog. Files of the `columns` catalog have exactly this shape;
 * docs/reference/columns-file.md documents it with examples.
 */
export const tableSchema = z
  .strictObject({
    database: name.optional().describe('As stored. Default: that of the requested source name.'),
    schema: name.optional().describe('As stored. Default: that of the requested source name.'),
    name: name.optional().describe('As stored. Default: the last part of the requested source name.'),
    kind: z.enum(TABLE_KINDS).optional().describe('Default `table`.'),
    comment: z.string().optional().describe('The comment on the table in the warehouse.'),
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
        'How its rows are stored: names of columns, or expressions as the warehouse prints them. It does not affect generated files.',
      ),
    observed: observationSchema
      .optional()
      .describe('Facts that hold for the rows. With them, names alone are not enough for tests of keys.'),
    location: name
      .optional()
      .describe(
        'The expression that reads the rows if there is no relation in the warehouse: `read_parquet(...)`.',
      ),
    model: name.optional().describe('The dbt model that builds this relation; it is then read with `ref()`.'),
    dialect: z
      .enum(DIALECT_NAMES)
      .optional()
      .describe('The SQL dialect of its types. Default: that of the catalog, otherwise that of the output.'),
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
