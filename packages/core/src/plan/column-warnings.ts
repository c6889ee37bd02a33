import type { Column, Warning } from '@stagecraft/spec'
import type { ColumnNames } from '../naming/column-name.ts'

export function leftOut({ name }: Column, reason: string): Warning {
  return { code: 'COLUMN_LEFT_OUT', message: `${name} is not in the model: ${reason}`, column: name }
}

export function nameWarnings({ name: column }: Column, names: ColumnNames): readonly Warning[] {
  if (!names.wasReplaced && !names.wasShortened) return []
  const became = `${JSON.stringify(column)} is staged as ${names.candidates[0] ?? ''}`
  const warnings: Warning[] = []
  if (names.wasReplaced) {
    const message = `${became}: it has no letter or digit that a plain name can keep`
    warnings.push({ code: 'NAME_REPLACED', message, column })
  }
  if (names.wasShortened) {
    warnings.push({
      code: 'NAME_SHORTENED',
      message: `${became}: the warehouse allows no longer names`,
      column,
    })
  }
  return warnings
}

export function collision(column: Column | undefined, wanted: string, given: string): Warning {
  const subject = column?.name ?? 'a computed column'
  const message = `${subject} is staged as ${given}, because another column is staged as ${wanted}`
  return { code: 'NAME_COLLISION', message, ...(column && { column: column.name }) }
}
