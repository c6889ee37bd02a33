import type { ToolResult } from '../tool.ts'
import type { Intent } from './intent.ts'
import { IMPACT, IS_USED, LINEAGE } from './lineage-intents.ts'
import { CONVENTIONS, OVERVIEW, SEARCHES, SOURCES } from './project-intents.ts'
import {
  DEFINITION,
  EXPLAINED,
  IS_TESTED,
  RESOURCE_INTENTS,
  SUGGESTED_TESTS,
  TESTS,
} from './resource-intents.ts'

/** All questions with a form of their own; the first with a matching pattern and words wins. */
export const INTENTS: readonly Intent[] = [
  IMPACT,
  IS_USED,
  IS_TESTED,
  SUGGESTED_TESTS,
  EXPLAINED,
  TESTS,
  ...RESOURCE_INTENTS,
  CONVENTIONS,
  SOURCES,
  ...LINEAGE,
  DEFINITION,
  ...SEARCHES,
  OVERVIEW,
]

/** Prints the fields of a result besides its items as one line. */
export function headOf(result: ToolResult): Readonly<Record<string, unknown>> {
  const { items: _, nextCursor: __, notes: ___, total: ____, untrusted: _____, ...head } = result
  return head
}
