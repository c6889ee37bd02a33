import type { Dialect } from '@stagecraft/dialects'
import { chooseKeys } from './choose-keys.ts'
import { chooseReferences } from './choose-references.ts'
import type { Inference, InferenceTable, Verify, WrittenJoin } from './inference.ts'
import { proposeFacts } from './propose-facts.ts'
import { readSubjects } from './read-subjects.ts'
import { verifyLikelyKeys } from './verify-likely-keys.ts'

export interface InferOptions {
  /** The dialect in which the types of the tables are spelled. */
  readonly dialect: Dialect
  /**
   * Checks the rows. Without it, or without an answer to a check, proposals are based on names and profiles. @default
   * undefined
   */
  readonly verify?: Verify
  /** Joins in SQL of the project between columns of the tables. @default [] */
  readonly joins?: readonly WrittenJoin[]
}

/**
 * Infers the keys of tables and the references between them: from declarations, then from names. Profiles and
 * `verify` have a veto: nothing that the rows refute is proposed.
 *
 * Pass every table that references may point to; the order of the tables does not matter.
 */
export async function infer(tables: readonly InferenceTable[], options: InferOptions): Promise<Inference> {
  const { dialect, joins = [], verify = leaveOpen } = options
  const subjects = await verifyLikelyKeys(readSubjects(tables, dialect), verify)
  const keys = await chooseKeys(subjects, verify)
  const references = await chooseReferences(subjects, keys, { joins, verify })
  const found = { keys: keys.flatMap(({ key }) => (key ? [key] : [])), references }
  return { ...found, facts: proposeFacts(subjects, found, dialect) }
}

const leaveOpen: Verify = (checks) => Promise.resolve(checks.map(() => undefined))
