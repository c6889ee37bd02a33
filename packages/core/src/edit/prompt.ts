import {
  type BackendRequest,
  type BackendTurn,
  planEditJsonSchema,
  type Violation,
  VIOLATIONS,
} from '@stagecraft/spec'
import { EXPRESSIONS, NAMELESS, REPAIR_OF_ALL, REPAIR_OF_PARTS, systemText } from './prompt-texts.ts'
import type { EditTask, TaskColumn } from './task.ts'

/** The content of a request; its sender adds limits and signals. */
export type Prompt = Pick<BackendRequest, 'system' | 'turns' | 'output'>

/** Returns the first turn for a task. */
export function firstPrompt(task: EditTask): Prompt {
  const { allowExpressions } = task
  const isNameless = task.table === undefined
  return {
    system:
      systemText(task.conventions) + (isNameless ? NAMELESS : '') + (allowExpressions ? EXPRESSIONS : ''),
    turns: [{ role: 'user', text: `<table>\n${printTask(task)}\n</table>` }],
    output: { name: 'plan_edit', schema: planEditJsonSchema({ allowExpressions }) },
  }
}

export interface RepairOptions {
  /** True if the rest of the answer was usable and must not be repeated. */
  readonly isPartly: boolean
}

/**
 * Reports violations as codes and places, so that text of the answer never comes back as text of Stagecraft.
 */
export function repairTurn(violations: readonly Violation[], { isPartly }: RepairOptions): BackendTurn {
  const lines = violations.map(({ code, expected, ordinal }) => {
    const place = ordinal === undefined ? '' : ` (column ${ordinal})`
    return `- ${code}${place}: ${VIOLATIONS[code]}; expected ${expected}`
  })
  const [head, rest] = isPartly ? REPAIR_OF_PARTS : REPAIR_OF_ALL
  return { role: 'user', text: `${head}\n${lines.join('\n')}\n${rest}` }
}

/** Prints JSON in which no text can end the enclosing block. */
function printTask({ columns, comment, dialect, examples, table }: EditTask): string {
  const withComments = columns.some((column) => column.comment !== undefined)
  const fields = ['ordinal', 'name', 'type', 'nullable', 'key', ...(withComments ? ['comment'] : [])]
  const { descriptions, renames } = examples
  const house = {
    ...(renames.length > 0 && { renames }),
    ...(descriptions.length > 0 && { descriptions }),
  }
  const head = {
    dialect,
    ...(table !== undefined && { table }),
    ...(comment !== undefined && { comment }),
    ...(Object.keys(house).length > 0 && { house }),
    fields,
  }
  const rows = columns.map((column) => JSON.stringify(row(column, withComments)))
  const text = `${JSON.stringify(head).slice(0, -1)},"columns":[\n${rows.join(',\n')}\n]}`
  return text.replaceAll('<', String.raw`\u003c`)
}

function row({ comment, key, name, nullable, ordinal, type }: TaskColumn, withComment: boolean): unknown[] {
  return [ordinal, name, type, nullable ?? null, key, ...(withComment ? [comment ?? null] : [])]
}
