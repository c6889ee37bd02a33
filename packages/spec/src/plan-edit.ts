import { z } from './zod.ts'
import type { JsonSchema } from './backend.ts'
import { PROPOSED_CONVERSIONS, RESULT_TYPES, type ResultType } from './names.ts'

/** The generic tests that a model may propose. */
export const EDIT_TESTS = ['not_null', 'unique', 'accepted_values', 'relationships'] as const

export type EditTest = (typeof EDIT_TESTS)[number]

/** One test of a column, checked separately: an invalid one is dropped, and its column stays. */
export const testProposalSchema = z.strictObject({
  name: z.enum(EDIT_TESTS),
  values: z.array(z.string()).nullable().describe('For accepted_values: every value; else null.'),
  table: z.string().nullable().describe('For relationships: the raw table that is referred to; else null.'),
  column: z.string().nullable().describe('For relationships: its raw column; else null.'),
})

/**
 * The edit of one column. Each is checked separately: an invalid one is dropped, and the rest of the table
 * stays.
 */
export const columnEditSchema = z.strictObject({
  ordinal: z.int().describe('The column, by its ordinal.'),
  name: z.string().nullable().describe('The staged name, or null to leave it to the rules.'),
  description: z.string().nullable().describe('One plain sentence, or null when nothing true can be said.'),
  operation: z
    .enum(PROPOSED_CONVERSIONS)
    .nullable()
    .describe('How the raw value is converted, or null to keep it.'),
  tests: z.array(testProposalSchema),
})

/** The same, with a free SQL expression. */
export const expressionEditSchema = columnEditSchema.extend({
  expression: z
    .string()
    .nullable()
    .describe('A SQL expression over the columns of this table, in place of an operation; else null.'),
  type: z
    .enum(RESULT_TYPES)
    .nullable()
    .describe('What the expression gives: the staged column has this type; null without an expression.'),
})

const editDescription = z
  .string()
  .nullable()
  .describe('What one row of the table is, in one plain sentence, or null.')

/** The answer of a model about a table: one entry per column, by ordinal, without SQL or YAML. */
export const planEditSchema = z.strictObject({
  description: editDescription,
  columns: z.array(columnEditSchema),
})

/** The same, with a free SQL expression per column. */
const planEditWithExpressionsSchema = z.strictObject({
  description: editDescription,
  columns: z.array(expressionEditSchema),
})

/**
 * The outer form of an answer, read before its parts. Each column is checked against its own schema, so that
 * an invalid one does not affect the others.
 */
export const answerSchema = z.strictObject({
  description: z.unknown().optional(),
  columns: z.array(z.unknown()).nullish(),
})

export type TestProposal = z.infer<typeof testProposalSchema>
export type ColumnEdit = z.infer<typeof columnEditSchema> & {
  readonly expression?: string | null
  readonly type?: ResultType | null
}
export type PlanEdit = Omit<z.infer<typeof planEditSchema>, 'columns'> & {
  readonly columns: readonly ColumnEdit[]
}

/** Returns the JSON Schema of a plan edit for providers. */
export function planEditJsonSchema({ allowExpressions }: { readonly allowExpressions: boolean }): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(
    allowExpressions ? planEditWithExpressionsSchema : planEditSchema,
  )
  return JSON.parse(JSON.stringify(schema), (_key, node: unknown) => inSubset(node)) as JsonSchema
}

/** Removes keywords that providers do not enforce: limits of numbers, and lists of types. */
function inSubset(node: unknown): unknown {
  if (typeof node !== 'object' || node === null || !('type' in node)) return node
  const { maximum: _, minimum: __, type, ...rest }: Record<string, unknown> = { ...node }
  return Array.isArray(type)
    ? { ...rest, anyOf: type.map((name: unknown) => ({ type: name })) }
    : { ...rest, type }
}

/** The possible violations of a plan edit. */
export const VIOLATIONS = {
  NOT_JSON: 'the answer is not one JSON object and nothing else',
  WRONG_SHAPE: 'the answer does not have the form of the schema',
  UNKNOWN_KEY: 'the answer has members that the schema does not have; the others were used',
  UNKNOWN_ORDINAL: 'there is no column of this ordinal',
  REPEATED_ORDINAL: 'a column is edited twice',
  ILLEGAL_NAME: 'the name is not a plain snake_case name',
  RESERVED_NAME: 'the name is a reserved word',
  NAME_TAKEN: 'another column has the name',
  COLUMN_NOT_THERE: 'a description names a column that is not in the model',
  NAME_NOT_ASKED: 'a name was given for a column whose name is not known',
  ILLEGAL_DESCRIPTION: 'the description is not one plain sentence',
  UNPROVEN_CLAIM: 'the description claims what no constraint proves',
  ILLEGAL_OPERATION: 'the operation is not legal for the column',
  ILLEGAL_TEST: 'the test is not legal for the column',
  ILLEGAL_EXPRESSION: 'the expression is not allowed',
  WRONG_TYPE: 'the expression does not give what is said of it',
  VALUES_LOST: 'the column would lose its values',
  FOREIGN_NAME: 'the name says something else than the name of the column',
} as const

export type ViolationCode = keyof typeof VIOLATIONS

/** One violation of a plan edit. Never contains text of the model or the warehouse. */
export interface Violation {
  readonly code: ViolationCode
  /** The column, if the violation is about an existing one. */
  readonly ordinal?: number
  readonly expected: string
}
