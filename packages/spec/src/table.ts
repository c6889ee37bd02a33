import { z } from 'zod'
import { DIALECT_NAMES } from './names.ts'

const name = z.string().min(1)
const keyColumns = z.array(name).min(1).readonly()

/** A value of a closed list: from an enum type, a CHECK constraint, or a documented domain. */
export const columnValueSchema = z.union([z.string(), z.number(), z.boolean()])

/** The type of a column of which no more is known than its name. */
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
  .strictObject({ database: name.optional(), schema: name.optional(), name })
  .readonly()

export const foreignKeySchema = z
  .strictObject({
    columns: keyColumns,
    references: z
      .strictObject({ table: tableReferenceSchema, columns: keyColumns })
      .readonly()
      .describe("A missing schema or database is that of the foreign key's own table."),
  })
  .readonly()

const confidence = z
  .number()
  .min(0)
  .max(1)
  .describe('Share of findings like this one that were true on databases with known keys.')

/** What the rows of a table keep, though nobody declared it. */
export const observationSchema = z
  .strictObject({
    rows: z.number().int().min(0).describe('Rows that were looked at.'),
    key: z
      .strictObject({ columns: keyColumns, confidence })
      .readonly()
      .optional()
      .describe('Columns that no two rows share, and that are named like a key. Absent when none was found.'),
    references: z
      .array(
        z
          .strictObject({
            columns: keyColumns,
            references: z.strictObject({ table: tableReferenceSchema, columns: keyColumns }).readonly(),
            values: z.number().int().min(0).describe('Different values, each of which has its parent.'),
            confidence,
          })
          .readonly(),
      )
      .readonly()
      .optional()
      .describe('Columns whose every value is the key of another table.'),
  })
  .readonly()

export const TABLE_KINDS = ['table', 'view', 'external'] as const

/**
 * A table or view as a catalog describes it. The `columns` catalog reads files of exactly this shape;
 * docs/reference/columns-file.md documents it with examples.
 */
export const tableSchema = z
  .strictObject({
    database: name.optional(),
    schema: name.optional(),
    name: name.optional().describe('As stored; default: the last part of the source name asked for.'),
    kind: z.enum(TABLE_KINDS).optional().describe('Default `table`.'),
    comment: z.string().optional(),
    columns: z.array(columnSchema).readonly(),
    primaryKey: keyColumns.optional(),
    uniqueKeys: z.array(keyColumns).readonly().optional(),
    foreignKeys: z.array(foreignKeySchema).readonly().optional(),
    observed: observationSchema
      .optional()
      .describe('What the rows were found to keep; with it, names alone make no tests of keys.'),
    location: name
      .optional()
      .describe('What reads the rows when there is no relation in the warehouse: `read_parquet(...)`.'),
    model: name.optional().describe('The dbt model that builds this relation; it is then read with `ref()`.'),
    dialect: z
      .enum(DIALECT_NAMES)
      .optional()
      .describe("The SQL that its types are spelled in. Default: the catalog's, else the one generated for."),
  })
  .readonly()

export type ColumnValue = z.infer<typeof columnValueSchema>
export type Column = z.infer<typeof columnSchema>
export type TableReference = z.infer<typeof tableReferenceSchema>
export type ForeignKey = z.infer<typeof foreignKeySchema>
export type Table = z.infer<typeof tableSchema>
/** What the rows of a table keep, though nobody declared it. */
export type Observation = z.infer<typeof observationSchema>
export type TableKind = (typeof TABLE_KINDS)[number]

/** A table out of a catalog, which always knows the stored name. */
export type CatalogTable = Table & { readonly name: string }
