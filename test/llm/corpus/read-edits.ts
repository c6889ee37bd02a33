import type { ColumnEdit, DialectName } from '@stagecraft/spec'

/** An edit of one column, in a table of a dialect. */
export interface EditCase {
  readonly dialect: DialectName
  readonly column: { readonly name: string; readonly type: string; readonly comment?: string }
  readonly said: Partial<ColumnEdit>
  /** For engines that run here: a raw value as SQL, and what the model gives for it, as text. */
  readonly value?: string
  readonly gives?: string
}

/** `column type -- comment | operation, or expression => type | name | value => what it gives`, by dialect. */
export function read(dialect: DialectName, text: string): readonly EditCase[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [subject = '', what = '', name = '', run = ''] = line.split('|').map((part) => part.trim())
      const [declared = '', comment] = subject.split(' -- ')
      const [, column = '', type = ''] = /^(\S+) (.+)$/.exec(declared) ?? []
      const [expression, gives] = what.split(' => ')
      const [value, result] = run.split(' => ')
      return {
        dialect,
        column: { name: column, type, ...(comment !== undefined && { comment }) },
        said: {
          ...(name !== '' && { name }),
          ...(gives === undefined
            ? { operation: what as NonNullable<ColumnEdit['operation']> }
            : { expression: expression ?? '', type: gives as NonNullable<ColumnEdit['type']> }),
        },
        ...(value !== undefined && result !== undefined && { value, gives: result }),
      }
    })
}
