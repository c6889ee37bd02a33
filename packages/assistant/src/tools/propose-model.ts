import { EDIT_TESTS, StagecraftError } from '@stagecraft/spec'
import { z } from '@stagecraft/spec/zod'
import { assertProposals, changeSchema, proposalHead, propose } from '../proposals/propose.ts'
import { defineTool } from '../tool.ts'

const columnSchema = z.strictObject({
  column: z.string().min(1).max(300).describe('spelled as in the raw table'),
  name: z.string().max(100).optional(),
  description: z.string().max(300).optional(),
  tests: z
    .array(z.enum(EDIT_TESTS).exclude(['accepted_values', 'relationships']))
    .max(2)
    .optional(),
})

/** Proposes the staging model of a raw table, planned by the rules of the project. */
export const proposeModel = defineTool({
  name: 'propose_model',
  title: 'Propose a staging model',
  description:
    'Proposes the files of the staging model of a raw table, by the conventions of the project. Names, descriptions and tests of columns that you give are checked against the table. Writes nothing: a person applies the proposal.',
  effect: 'proposes',
  input: {
    source: z.string().min(1).max(300).describe('raw table: raw.shop.orders or shop.orders'),
    description: z.string().max(300).optional(),
    columns: z.array(columnSchema).max(200).default([]),
  },
  head: proposalHead,
  item: changeSchema,
  run: async (view, { columns, description, source }, ports) => {
    assertProposals(ports.proposals)
    if (!ports.planner)
      throw StagecraftError.invalid({
        path: 'the server',
        expected: 'a planner of models',
        received: 'none',
      })
    const planned = await ports.planner.plan({ source, description, columns })
    return propose(
      view,
      {
        kind: 'model',
        title: `staging model ${planned.model} of ${source}`,
        files: planned.files,
        evidence: planned.evidence,
        notes: planned.notes,
        items: planned.items,
      },
      ports,
    )
  },
})
