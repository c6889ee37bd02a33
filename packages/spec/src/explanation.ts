import { z } from './zod.ts'
import { DECISION_SUBJECTS, EVIDENCE_KINDS, MODEL_TYPES } from './names.ts'

export const reasonSchema = z
  .strictObject({
    rule: z.string().describe('The rule: `name.ids`.'),
    evidence: z
      .enum(EVIDENCE_KINDS)
      .describe(
        'The evidence that the rule rests on; `convention` is a default of the preset, `learned` is the practice of the models in the project.',
      ),
    text: z.string().describe('The reason in words.'),
  })
  .readonly()

export const decisionSchema = z
  .strictObject({
    about: z.enum(DECISION_SUBJECTS).describe('The subject of the decision.'),
    value: z
      .string()
      .optional()
      .describe('The outcome: a name, an expression, a test. Absent if there is none.'),
    reasons: z
      .array(reasonSchema)
      .readonly()
      .describe('The reasons, in the order in which the rules were applied.'),
    keys: z
      .array(z.string())
      .readonly()
      .describe('Keys of `stagecraft.yml` that change it, the most specific first. Empty if there are none.'),
  })
  .readonly()

export const columnExplanationSchema = z
  .strictObject({
    column: z.string().optional().describe('The stored name. Absent for a column that the model computes.'),
    type: z.string().optional().describe('The type, as the warehouse spells it.'),
    name: z.string().optional().describe('The staged name. Absent for a column that the model leaves out.'),
    decisions: z
      .array(decisionSchema)
      .readonly()
      .describe('Decisions about name, value, group, description and tests.'),
  })
  .readonly()

export const notedWarningSchema = z
  .strictObject({
    code: z.string().describe('Its code: `PARENT_NOT_STAGED`.'),
    message: z.string().describe('The reason, for people.'),
    column: z.string().optional().describe('The column that it is about, as stored.'),
  })
  .readonly()

export const explanationSchema = z
  .strictObject({
    type: z.enum(MODEL_TYPES).describe('The type of the model.'),
    source: z.string().describe('The dotted name of the source table: `raw.stripe.payments`.'),
    model: z.string().describe('The name of the model.'),
    decisions: z
      .array(decisionSchema)
      .readonly()
      .describe('Decisions about the model as a whole: names, key, rows, description.'),
    columns: z
      .array(columnExplanationSchema)
      .readonly()
      .describe('The columns in the order of the model; excluded ones come last.'),
    warnings: z.array(notedWarningSchema).readonly().describe('The warnings of its generation.'),
  })
  .readonly()

export type { ColumnExplanation, Decision, Explanation, NotedWarning, Reason } from './types.ts'
