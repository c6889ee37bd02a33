import type { Warning } from '@stagecraft/spec'
import type { Plan } from '../plan/plan.ts'
import type { PlannedItem } from '../plan/plan-run.ts'

/** Tells whether tests were asked for and none says what identifies a row. */
export function lacksKeyTest({ columns, kind, model }: Plan, { subject }: PlannedItem): boolean {
  if (!subject.settings.options.addTests || kind === 'snapshot') return false
  const tests = [...model.tests, ...columns.flatMap((column) => column.tests)]
  return !tests.some(({ name }) => isKeyTest(name))
}

/** Returns true if a generic test of this name states a key. */
export function isKeyTest(name: string): boolean {
  return name === 'unique' || name.endsWith('.unique_combination_of_columns')
}

/** The number of models that a warning about many names. */
const NAMED = 5

/** Returns one warning that counts models without a test of their key, and none for no model. */
export function keysNotTested(models: readonly string[]): readonly Warning[] {
  if (models.length === 0) return []
  const rest = models.length > NAMED ? `, and ${models.length - NAMED} more` : ''
  const has = models.length === 1 ? '1 model has' : `${models.length} models have`
  const message = `${has} no test of a key, because nothing says what identifies a row: ${models.slice(0, NAMED).join(', ')}${rest}`
  return [{ code: 'KEYS_NOT_TESTED', message }]
}
