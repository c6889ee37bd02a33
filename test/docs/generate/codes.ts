import { STATUS_CODES } from '@stagecraft/http'
import { ERROR_CODES, WARNINGS } from '@stagecraft/spec'
import { ERROR_EXPLANATIONS, WARNING_EXPLANATIONS } from '@stagecraft/spec/explanations'
import { EXIT_CODES } from '../../../packages/cli/src/exit-codes.ts'
import { sentence } from './table.ts'

/** Prints a section for each warning, whose anchor is its code. */
export function warningSections(): string {
  return Object.entries(WARNING_EXPLANATIONS)
    .toSorted(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([code, { cause, remedy }]) => {
      const meaning = sentence(new Map<string, string>(Object.entries(WARNINGS)).get(code) ?? '')
      return [`## ${code}`, meaning, `**Cause.** ${cause}`, `**Remedy.** ${remedy}`].join('\n\n')
    })
    .join('\n\n')
}

/** Prints a section for each error code, whose anchor is its code. */
export function errorSections(): string {
  return ERROR_CODES.map((code) => {
    const { cause, remedy } = ERROR_EXPLANATIONS[code]
    const place = `HTTP status ${STATUS_CODES[code]}, exit code ${EXIT_CODES[code]}.`
    return [`## ${code}`, place, `**Cause.** ${cause}`, `**Remedy.** ${remedy}`].join('\n\n')
  }).join('\n\n')
}
