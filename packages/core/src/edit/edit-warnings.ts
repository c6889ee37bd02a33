import { type Violation, type ViolationCode, VIOLATIONS, type Warning } from '@stagecraft/spec'
import type { StagedColumn } from '../plan/staged-column.ts'
import { cleanText } from './clean-text.ts'
import type { Failure } from './converse.ts'
import { describeRefusedCall } from './expression-vocabulary.ts'
import { explain } from './failure-error.ts'
import { LONGEST_NAME } from './legal-name.ts'
import type { EditSubject } from './task.ts'

/** Returns a warning for each unused part of an answer, with its subject and its violation. */
export function editWarnings(violations: readonly Violation[], subject: EditSubject): readonly Warning[] {
  const names = new Map(subject.columns.map(({ column, ordinal }) => [ordinal, column?.name]))
  const warnings = violations.map(({ code, expected, ordinal }): Warning => {
    const column = ordinal === undefined ? undefined : names.get(ordinal)
    const place = column === undefined ? '' : `${cleanText(column, LONGEST_NAME)}: `
    const part = PARTS[code] ?? "the backend's proposal"
    const call = describeRefusedCall(expected)
    const reason =
      call === undefined
        ? `${VIOLATIONS[code]}; expected ${expected}`
        : `${call} (stagecraft explain EDIT_NOT_USED)`
    const message = `${place}${part} was not used: ${reason}`
    return { code: 'EDIT_NOT_USED', message, ...(column !== undefined && { column }) }
  })
  return [...new Map(warnings.map((warning) => [warning.message, warning])).values()]
}

/** What a violation is about, if not about a column as a whole. */
const PARTS: Readonly<Partial<Record<ViolationCode, string>>> = {
  ILLEGAL_TEST: 'a proposed test',
  UNKNOWN_KEY: 'a part of the answer',
}

/**
 * Returns a warning about the columns of a wide table that the rules decide, because the call for them
 * failed.
 */
export function partWarning(asked: readonly StagedColumn[], { cause, kind, violations }: Failure): Warning {
  const [first, last] = [asked[0]?.ordinal, asked.at(-1)?.ordinal]
  return {
    code: 'EDIT_NOT_USED',
    message: `the rules decide columns ${first} to ${last}: ${explain({ cause, kind, violations })}`,
  }
}
