import { StagecraftError } from '@stagecraft/spec'
import { cleanText } from '../clean-text.ts'
import type { Tool } from '../tool.ts'
import { getConventions } from './conventions.ts'
import { explain } from './explain.ts'
import { checkProject, suggestTests } from './findings.ts'
import { listGaps } from './gaps.ts'
import { getImpact } from './impact.ts'
import { getLineage } from './lineage.ts'
import { projectOverview } from './overview.ts'
import { proposeFix } from './propose-fix.ts'
import { proposeModel } from './propose-model.ts'
import { proposeProperties } from './propose-properties.ts'
import { getResource } from './resource.ts'
import { searchProject } from './search.ts'
import { compareSource, describeTable, listSources } from './sources.ts'
import { findUses } from './uses.ts'

/** All tools, in the order that clients see. The order is fixed, so prompt caches stay valid. */
export const TOOLS: readonly Tool[] = [
  projectOverview,
  searchProject,
  getResource,
  findUses,
  getLineage,
  getImpact,
  checkProject,
  listGaps,
  suggestTests,
  explain,
  listSources,
  describeTable,
  compareSource,
  getConventions,
  proposeModel,
  proposeFix,
  proposeProperties,
]

export interface ToolChoice {
  /** Names of tools. @default all */
  readonly names?: readonly string[]
  /** Tools that propose changes. @default true */
  readonly proposals?: boolean
}

/**
 * Chooses tools, in their fixed order.
 *
 * @throws {StagecraftError} INVALID_REQUEST for an unknown tool.
 */
export function chooseTools({ names, proposals = true }: ToolChoice = {}): readonly Tool[] {
  const known = TOOLS.map(({ name }) => name)
  const unknown = names?.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw StagecraftError.invalid({
      path: 'tools',
      expected: `names of tools: ${known.join(', ')}`,
      received: JSON.stringify(cleanText(unknown, 100)),
    })
  return TOOLS.filter(
    ({ effect, name }) => (names?.includes(name) ?? true) && (proposals || effect === 'reads'),
  )
}
