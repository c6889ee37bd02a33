import { z } from './zod.ts'
import { columnValueSchema } from './table.ts'

const count = z.number().int().min(0)

/** A bound of a column's values: a number, or the text of a date or timestamp in ISO 8601. */
const bound = z.union([z.number(), z.string()])

export const profiledValueSchema = z
  .strictObject({
    value: columnValueSchema.describe('A value of the column.'),
    rows: count.describe('Rows that have it.'),
    halves: z
      .tuple([z.boolean(), z.boolean()])
      .readonly()
      .optional()
      .describe('True for each half of the table, first and second, that contains it.'),
  })
  .readonly()

export const patternCountsSchema = z
  .strictObject({
    email: count.describe('Texts like `a@b.c`.'),
    url: count.describe('Texts that begin with `http:` or `https:`.'),
    json: count.describe('Texts in braces, or lists of them.'),
    date: count.describe('Texts like `2026-01-31`.'),
    parted: count.describe('Texts like `31/01/2026`, `1.31.2026` and `3-4-2026`.'),
    digits: count.describe('Texts of eight digits that may be a day: `20260131`.'),
    timestamp: count.describe(
      'Texts like `2026-01-31 12:00` and `2026-01-31T12:00`, with up to 24 characters after it.',
    ),
  })
  .partial()
  .readonly()

export const dateCountsSchema = z
  .strictObject({
    date: count.describe('As `date`: year, month, day.'),
    date_day_first: count.describe('As `date_day_first`.'),
    date_month_first: count.describe('As `date_month_first`.'),
    date_yyyymmdd: count.describe('As `date_yyyymmdd`.'),
  })
  .partial()
  .readonly()

export const columnProfileSchema = z
  .strictObject({
    nulls: count.describe('Rows without a value.'),
    distinct: count
      .optional()
      .describe(
        'The number of distinct values without null; absent for documents and other types that cannot be compared.',
      ),
    approximate: z.boolean().optional().describe('`distinct` is an estimate. Default false.'),
    min: bound.optional().describe('The smallest number or earliest time. Never for text.'),
    max: bound.optional().describe('The largest number or latest time. Never for text.'),
    minLength: count.optional().describe('Characters of the shortest text.'),
    maxLength: count.optional().describe('Characters of the longest text.'),
    patterns: patternCountsSchema
      .optional()
      .describe('For text: rows whose whole value has a form. Forms without rows may be left out.'),
    dates: dateCountsSchema
      .optional()
      .describe(
        'For columns that look like dates: rows with an existing date, by the conversion that reads it.',
      ),
    values: z
      .array(profiledValueSchema)
      .max(60)
      .readonly()
      .optional()
      .describe(
        'All values with their numbers of rows, for columns that may have a closed list. Never for personal data.',
      ),
  })
  .readonly()

export const tableProfileSchema = z
  .strictObject({
    rows: count.describe('Rows that were read.'),
    sampled: z.boolean().optional().describe('True if only some of the rows were read. Default false.'),
    columns: z.record(z.string(), columnProfileSchema).readonly().describe('By stored name.'),
  })
  .readonly()

export type { ColumnProfile, DateCounts, PatternCounts, ProfiledValue, TableProfile } from './types.ts'
