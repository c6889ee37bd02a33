import type { PlanEdit, Warning } from '@stagecraft/spec'
import { finalName } from './check-names.ts'
import { editWarnings } from './edit-warnings.ts'
import type { UsableEdit } from './judge-answer.ts'
import type { EditSubject } from './task.ts'

/** An edit without the descriptions that name a column which is not there. */
export interface StrayResult {
  readonly edit: PlanEdit
  readonly warnings: readonly Warning[]
}

/**
 * Takes away descriptions that speak of a column by a name which the model proposed for it and did not get: readers
 * would look for it in vain.
 */
export function withoutStrays(
  { columns, description, dropped }: UsableEdit,
  subject: EditSubject,
): StrayResult {
  const there = new Set(
    subject.columns.flatMap((staged) => [staged.column?.name.toLowerCase(), finalName(staged, columns)]),
  )
  const strays = dropped.filter((name) => !there.has(name))
  const isStray = (text: string | null): boolean =>
    strays.some((name) => text !== null && mentions(text, name))
  const lost = columns.filter((edit) => isStray(edit.description))
  const violations = [...(isStray(description) ? [{}] : []), ...lost.map(({ ordinal }) => ({ ordinal }))]
  return {
    edit: {
      description: isStray(description) ? null : description,
      columns: columns.map((edit) => (lost.includes(edit) ? { ...edit, description: null } : edit)),
    },
    warnings: editWarnings(
      violations.map((place) => ({
        ...place,
        code: 'COLUMN_NOT_THERE',
        expected: 'no name that its column did not get',
      })),
      subject,
    ),
  }
}

/** A name of one word may be a word of the sentence; in back quotes, or with an underscore, it is a name. */
function mentions(text: string, name: string): boolean {
  const places = text.toLowerCase().split(/([a-z0-9_]+)/)
  return places.some(
    (place, index) => place === name && (name.includes('_') || places[index - 1]?.endsWith('`')),
  )
}
